//! Extrapolation of light to texels that show nothing.

use glam::Vec3A;

use crate::unwrap::PageSize;

/// Sets each texel without light to the average of its lit neighbors, ring by ring, until all have light. A page
/// without any light is unchanged.
pub fn fill([width, height]: PageSize, texels: &mut [Option<Vec3A>]) {
    let [width, height] = [width, height].map(|side| side as usize);
    let neighbors = |at: usize| {
        let (x, y) = (at % width, at / width);
        let near = |at: usize, length: usize| at.saturating_sub(1)..=(at + 1).min(length - 1);
        near(y, height).flat_map(move |row| near(x, width).map(move |column| row * width + column))
    };
    let lit = texels.iter().filter(|texel| texel.is_some()).count();
    if lit == 0 {
        return;
    }
    let mut waiting: Vec<usize> = (0..texels.len()).filter(|at| texels[*at].is_none()).collect();
    let mut is_waiting: Vec<bool> = texels.iter().map(Option::is_none).collect();
    // Only texels at the border of lit texels.
    waiting.retain(|at| neighbors(*at).any(|near| texels.get(near).is_some_and(Option::is_some)));
    while !waiting.is_empty() {
        let ring: Vec<(usize, Vec3A)> = waiting
            .iter()
            .map(|at| {
                let found = neighbors(*at).filter_map(|near| texels.get(near).copied().flatten());
                let (sum, count) =
                    found.fold((Vec3A::ZERO, 0_usize), |(sum, count), light| (sum + light, count + 1));
                (*at, sum / count.max(1) as f32)
            })
            .collect();
        for (at, light) in &ring {
            texels[*at] = Some(*light);
            is_waiting[*at] = false;
        }
        waiting = ring.iter().flat_map(|(at, _)| neighbors(*at)).collect();
        waiting.retain(|at| is_waiting.get(*at) == Some(&true));
        waiting.sort_unstable();
        waiting.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_all_texels_without_changing_lit_ones() {
        let mut texels = vec![None; 35];
        texels[0] = Some(Vec3A::ONE);
        texels[34] = Some(Vec3A::ZERO);
        fill([7, 5], &mut texels);
        assert_eq!((texels[0], texels[34]), (Some(Vec3A::ONE), Some(Vec3A::ZERO)));
        assert_eq!((texels[1], texels[33]), (Some(Vec3A::ONE), Some(Vec3A::ZERO)));
        assert!(texels.iter().all(Option::is_some));
    }

    #[test]
    fn leaves_a_page_without_light_unchanged() {
        let mut texels = vec![None; 4];
        fill([2, 2], &mut texels);
        assert_eq!(texels, [None; 4]);
        fill([0, 0], &mut []);
    }
}
