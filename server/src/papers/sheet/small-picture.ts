import type { Mat, OpenCv, Own } from './opencv.ts'

/** 1 byte a pixel (grey) or 3 (RGB). */
export interface ColourPixels {
  width: number
  height: number
  data: Uint8Array
  channels: 1 | 3
}

/** Its writing is closed over, so that edges are those of sheets. */
export interface SmallPicture {
  width: number
  height: number
  scale: number
  /** Of colour, 8 bits a pixel. */
  edges: Mat
  edgeAt(x: number, y: number): number
  /** L, a and b (0 to 255), of 5 × 5 pixels; null beyond the picture. */
  colourAround(x: number, y: number): readonly [number, number, number] | null
}

/** The longer side, in pixels. */
const side = 800

export function shrinkToFind(cv: OpenCv, own: Own, picture: ColourPixels): SmallPicture {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const width = Math.max(8, Math.round(picture.width * scale))
  const height = Math.max(8, Math.round(picture.height * scale))
  const lab = own(new cv.Mat())
  {
    const whole = new cv.Mat(picture.height, picture.width, picture.channels === 1 ? cv.CV_8UC1 : cv.CV_8UC3)
    try {
      whole.data.set(picture.data)
      cv.resize(whole, lab, new cv.Size(width, height), 0, 0, cv.INTER_AREA)
    } finally {
      whole.delete()
    }
  }
  if (picture.channels === 1) cv.cvtColor(lab, lab, cv.COLOR_GRAY2RGB)
  cv.cvtColor(lab, lab, cv.COLOR_RGB2Lab)
  // Closing takes strokes narrower than the kernel out of a light ground: writing, ruled lines, frames.
  const kernel = own(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(13, 13)))
  cv.morphologyEx(lab, lab, cv.MORPH_CLOSE, kernel)
  cv.medianBlur(lab, lab, 5)
  const edges = own(new cv.Mat())
  cv.morphologyEx(lab, edges, cv.MORPH_GRADIENT, own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(3, 3))))
  const channels = own(new cv.MatVector())
  cv.split(edges, channels)
  const [l, a, b] = [0, 1, 2].map((i) => own(channels.get(i)))
  if (!l || !a || !b) throw new Error('Lab has three channels')
  const greatest = own(new cv.Mat())
  cv.max(l, a, greatest)
  cv.max(greatest, b, greatest)
  const mean = own(new cv.Mat())
  cv.blur(lab, mean, new cv.Size(5, 5))
  const [steps, colours] = [greatest.data, mean.data]
  const index = (x: number, y: number) => {
    const [column, row] = [Math.round(x), Math.round(y)]
    return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column
  }
  return {
    width,
    height,
    scale,
    edges: greatest,
    edgeAt: (x, y) => steps[index(x, y)] ?? 0,
    colourAround(x, y) {
      const at = index(x, y)
      return at < 0 ? null : [colours[3 * at] ?? 0, colours[3 * at + 1] ?? 0, colours[3 * at + 2] ?? 0]
    },
  }
}
