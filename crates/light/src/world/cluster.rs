//! Groups of texels that are close together.

use super::neighbor::Neighborhood;

/// Width and height of the blocks of a page that contain the texels of a cluster.
const BLOCK: u32 = 4;

/// Returns all samples, in groups of those that show the same surface in the same block of a page.
pub(super) fn clusters(near: &Neighborhood<'_>) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    for page in &near.lit().pages {
        let [width, height] = page.size;
        for y in (0..height).step_by(BLOCK as usize) {
            for x in (0..width).step_by(BLOCK as usize) {
                let rows = y..y.saturating_add(BLOCK).min(height);
                let cells = rows.flat_map(|row| {
                    let columns = x..x.saturating_add(BLOCK).min(width);
                    columns.map(move |column| row as usize * width as usize + column as usize)
                });
                let samples = cells.filter_map(|cell| page.texels.get(cell).copied().flatten());
                add_block(near, samples.map(|sample| sample as usize), &mut out);
            }
        }
    }
    let additional = (0..near.lit().len()).filter(|sample| near.place(*sample).is_none());
    out.extend(additional.map(|sample| vec![sample]));
    out
}

/// Adds the clusters of a block.
fn add_block(near: &Neighborhood<'_>, samples: impl Iterator<Item = usize>, out: &mut Vec<Vec<usize>>) {
    let start = out.len();
    for sample in samples {
        let fits =
            |cluster: &&mut Vec<usize>| cluster.first().is_some_and(|first| near.is_close(*first, sample));
        match out[start..].iter_mut().find(fits) {
            Some(cluster) => cluster.push(sample),
            None => out.push(vec![sample]),
        }
    }
}
