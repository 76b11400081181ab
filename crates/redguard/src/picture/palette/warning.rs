//! What can be amiss with a palette, or lost in a conversion.

crate::codes! {
    SIZE = "COL-E001", Error, "wrong size",
        "The file says another length of itself than it has, or than palettes have. Its colours are read all the same. Example: \"the file \
        says that it has 777 bytes; it has 776, and palettes have 776\".";
    LEFT_OVER = "COL-W002", Warning, "bytes left over",
        "Something stands behind the colours. It is kept and written back. Example: \"1 byte stands behind the colours\".";
    SIX_BIT = "COL-W003", Warning, "very dark",
        "No channel is brighter than 63: these may be colours of 6 bits a channel, as in other files of the game. The game takes palettes as they \
        are. Example: \"no channel is brighter than 63\".";
    NOT_BLACK = "COL-N004", Note, "first colour not black",
        "The first colour of the game's palettes is black; the Glide renderer makes it so. Example: \"the first colour is #ff00ff\".";
    SAME_COLOR = "COL-N005", Note, "colours more than once",
        "Some colours stand in several places. A picture that comes back from an editor in full colour keeps its places where it was not painted, \
        and takes the first of them where it was. Example: \"12 places have a colour that stands before them too\".";
}
