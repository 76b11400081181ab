//! The declaration of a record that is implemented by hand.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::schema::{Encoding, Number, Schema};
use antiquary_record::{Declared, Reader, Record, Result, Writer, by_hand};
use round_trip::round_trip;

#[derive(Declared, Debug, PartialEq)]
struct Weather {
    /// In degrees Celsius.
    #[record(stored_as = i16)]
    temperature: f32,
    humidity: u8,
}

/// Implemented by hand: the temperature is stored in tenths of a degree.
#[by_hand]
impl Record for Weather {
    type Context = ();
    const MIN_SIZE: usize = 3;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let tenths = reader.field("temperature", |reader| i16::read(reader, ()))?;
        let humidity = reader.field("humidity", |reader| u8::read(reader, ()))?;
        Ok(Self { temperature: f32::from(tenths) / 10.0, humidity })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        ((self.temperature * 10.0) as i16).write(writer, ())?;
        self.humidity.write(writer, ())
    }
}

fn main() {
    let (weather, _) = round_trip::<Weather>(&[205, 0, 60], ());
    assert_eq!(weather, Weather { temperature: 20.5, humidity: 60 });

    let Schema::ByHand(declared) = Weather::schema() else { panic!("expected a record by hand") };
    assert_eq!(declared.reason, "the temperature is stored in tenths of a degree.");
    let [temperature, humidity] = declared.fields else { panic!("expected two fields") };
    assert_eq!((temperature.name, temperature.ty, humidity.name), ("temperature", "i16", "humidity"));
    assert_eq!(temperature.about.trim(), "In degrees Celsius.");
    let Encoding::Record(stored) = temperature.encoding else { panic!("expected one record") };
    assert!(matches!(stored(), Schema::Number(Number::Signed(2))));
}
