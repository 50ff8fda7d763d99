//! Pictures of polygons with exact coverage: each pixel gets the mean color of its area.
//!
//! A picture is a list of layers, drawn one over the other. Within a layer the coverages of polygons add up, so that neighbors
//! with a common edge leave no gap. Where polygons of one layer overlap, their colors are mixed.
//!
//! Method: an edge changes the coverage of all pixels to its right. The changes are noted where the edge is, and a running sum
//! over the row gives the coverage. One row is drawn at a time, with all layers, so the numbers stay in the nearest cache.
//! Sums have a fixed order and no fused operations: the bytes are the same on all machines.

/// Width and height of pictures [px].
pub(super) const SIZE: usize = 96;

/// Opacity below which a layer is not drawn: it may be the rounding of a sum that is zero.
const MIN_OPACITY: f32 = 1.0e-3;

/// Red, green, blue (0 to 255) and opacity that full coverage adds.
pub(super) type Paint = [f32; 4];

/// Cells of a row: one for each pixel, one at the right margin and one that the last is split with.
type Cells = [Paint; SIZE + 2];

/// An edge within the columns of the picture, downward.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: [f32; 2],
    end_y: f32,
    /// Change of x for a change of y.
    slope: f32,
    /// Change of paint to the right of the edge.
    paint: Paint,
    /// First row, and the row after the last.
    rows: [u8; 2],
}

/// Edges of one layer.
#[derive(Debug, Default)]
struct Layer {
    edges: Vec<Edge>,
    /// Number of edges that have begun.
    begun: usize,
    /// Indices of begun edges that have not ended.
    active: Vec<usize>,
}

/// Layers of polygons. Coordinates are pixels, x to the right and y down.
#[derive(Debug, Default)]
pub(super) struct Picture {
    layers: Vec<Layer>,
    /// Number of layers in use; the others keep their memory.
    count: usize,
}

impl Picture {
    /// Removes all layers.
    pub(super) const fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds an empty layer above the others.
    pub(super) fn begin_layer(&mut self) {
        if self.count == self.layers.len() {
            self.layers.push(Layer::default());
        }
        let layer = &mut self.layers[self.count];
        layer.edges.clear();
        layer.active.clear();
        layer.begun = 0;
        self.count += 1;
    }

    /// Adds a polygon of either orientation to the last layer.
    pub(super) fn add_polygon(&mut self, corners: &[[f32; 2]], paint: Paint) {
        let size = SIZE as f32;
        let is_outside = |xy: usize| {
            corners.iter().all(|corner| corner[xy] <= 0.0)
                || corners.iter().all(|corner| corner[xy] >= size)
        };
        if is_outside(0) || is_outside(1) {
            return;
        }
        let sides = || (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
        let area: f32 = sides().map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum();
        let inward = if area < 0.0 { 1.0 } else { -1.0 };
        let layer = &mut self.layers[self.count - 1];
        for [a, b] in sides() {
            if a[1] < b[1] {
                layer.add_edge(a, b, paint.map(|value| value * inward));
            } else if b[1] < a[1] {
                layer.add_edge(b, a, paint.map(|value| -value * inward));
            }
        }
    }

    /// Draws all layers over black; `darkening` is subtracted from all colors.
    pub(super) fn draw(&mut self, darkening: f32, out: &mut [u8]) {
        let layers = &mut self.layers[..self.count];
        for layer in &mut *layers {
            layer.edges.sort_by_key(|edge| edge.rows[0]);
        }
        let mut cells: Cells = [[0.0; 4]; SIZE + 2];
        for (row, out) in out.chunks_exact_mut(3 * SIZE).enumerate() {
            let mut pixels = [[0.0; 4]; SIZE];
            for layer in &mut *layers {
                layer.draw_row(row as u8, &mut cells, &mut pixels);
            }
            for (out, pixel) in out.as_chunks_mut::<3>().0.iter_mut().zip(&pixels) {
                // The conversion cuts off negative colors and fractions.
                *out = [0, 1, 2].map(|channel| (pixel[channel] - darkening) as u8);
            }
        }
    }
}

impl Layer {
    /// Adds an edge that goes down; the part to the left of the picture counts at its margin.
    fn add_edge(&mut self, from: [f32; 2], to: [f32; 2], paint: Paint) {
        let size = SIZE as f32;
        let slope = (to[0] - from[0]) / (to[1] - from[1]);
        let x_at = |y: f32| from[0] + (y - from[1]) * slope;
        let (top, bottom) = (from[1].max(0.0), to[1].min(size));
        // Heights at which the edge enters and leaves the columns of the picture.
        let mut cuts = [0.0, size].map(|x| {
            let y = from[1] + (x - from[0]) / slope;
            if y.is_finite() {
                y.clamp(top, bottom.max(top))
            } else {
                top
            }
        });
        if slope < 0.0 {
            cuts.swap(0, 1);
        }
        for [start, end] in [[top, cuts[0]], [cuts[0], cuts[1]], [cuts[1], bottom]] {
            let middle = x_at(start + (end - start) * 0.5);
            if start < end && middle < size {
                let is_left = middle < 0.0;
                self.edges.push(Edge {
                    from: [if is_left { 0.0 } else { x_at(start) }, start],
                    end_y: end,
                    slope: if is_left { 0.0 } else { slope },
                    paint,
                    rows: [start as u8, end.ceil() as u8],
                });
            }
        }
    }

    /// Draws a row over `pixels`; `cells` are zero before and after.
    fn draw_row(&mut self, row: u8, cells: &mut Cells, pixels: &mut [Paint; SIZE]) {
        while let Some(edge) = self.edges.get(self.begun)
            && edge.rows[0] <= row
        {
            self.active.push(self.begun);
            self.begun += 1;
        }
        let edges = &self.edges;
        self.active.retain(|&at| edges[at].rows[1] > row);
        let (mut first, mut end) = (SIZE, 0);
        for &at in &self.active {
            let [from, to] = edges[at].mark(f32::from(row), cells);
            (first, end) = (first.min(from), end.max(to));
        }
        cover(first, end, cells, pixels);
    }
}

impl Edge {
    /// Adds the part in a row to the cells; returns the first of them and the one after the last.
    fn mark(&self, row: f32, cells: &mut Cells) -> [usize; 2] {
        let [top, bottom] = [self.from[1].max(row), self.end_y.min(row + 1.0)];
        let x_at = |y: f32| {
            let x = self.from[0] + (y - self.from[1]) * self.slope;
            x.clamp(0.0, SIZE as f32)
        };
        let [a, b] = [x_at(top), x_at(bottom)];
        let (left, right) = (a.min(b), a.max(b));
        let (first, last) = (left as usize, right as usize);
        if first == last {
            self.add(cells, first, bottom - top, (left + right) * 0.5);
            return [first, first + 2];
        }
        let height = (bottom - top) / (right - left);
        for column in first..=last {
            let from = left.max(column as f32);
            let to = right.min((column + 1) as f32);
            self.add(cells, column, height * (to - from), (from + to) * 0.5);
        }
        [first, last + 2]
    }

    /// Adds a piece of this height whose middle is at `x`, in this column.
    fn add(&self, cells: &mut Cells, column: usize, height: f32, x: f32) {
        let beyond = height * (x - column as f32);
        for (cell, share) in cells[column..].iter_mut().zip([height - beyond, beyond]) {
            for (sum, change) in cell.iter_mut().zip(self.paint) {
                *sum += change * share;
            }
        }
    }
}

/// Puts the sums of the cells over the pixels, from the first changed cell; the cells are zero after it.
fn cover(first: usize, end: usize, cells: &mut Cells, pixels: &mut [Paint; SIZE]) {
    let mut paint = [0.0; 4];
    if first < end {
        for (at, cell) in (first..).zip(&mut cells[first..end]) {
            for (sum, change) in paint.iter_mut().zip(std::mem::take(cell)) {
                *sum += change;
            }
            if let Some(pixel) = pixels.get_mut(at) {
                blend(paint, pixel);
            }
        }
    }
    if paint[3] > MIN_OPACITY {
        for pixel in &mut pixels[end.min(SIZE)..] {
            blend(paint, pixel);
        }
    }
}

/// Puts a color over a pixel. Where polygons overlap, the opacity is above 1.
fn blend(paint: Paint, pixel: &mut Paint) {
    let scale = if paint[3] > 1.0 { 1.0 / paint[3] } else { 1.0 };
    let below = 1.0 - paint[3] * scale;
    for channel in 0..3 {
        pixel[channel] = pixel[channel] * below + paint[channel] * scale;
    }
}
