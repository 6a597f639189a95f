import { withOpenCv } from './opencv.ts'
import type { ColourPixels } from './small-picture.ts'

/** Side of the picture the light is measured in. */
const side = 320
/** What paper becomes, and the most a pixel is lightened: what is darker is no shadow, but a picture on the page. */
const white = 250
const maxGain = 3.2

/** Takes shadows and uneven light off a page: each pixel by the light of the paper around it. Colours stay but for the tint of the lamp. */
export function evenLight<P extends ColourPixels>(page: P): Promise<P> {
  return withOpenCv((cv, own) => {
    const scale = Math.min(1, side / Math.max(page.width, page.height))
    const [width, height] = [Math.ceil(page.width * scale), Math.ceil(page.height * scale)]
    const whole = own(new cv.Mat(page.height, page.width, page.channels === 1 ? cv.CV_8UC1 : cv.CV_8UC3))
    whole.data.set(page.data)
    const light = own(new cv.Mat())
    cv.resize(whole, light, new cv.Size(width, height), 0, 0, cv.INTER_AREA)
    // Writing goes by the lightest around it, then the edges of that are smoothed.
    const kernel = own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(15, 15)))
    cv.morphologyEx(light, light, cv.MORPH_CLOSE, kernel)
    cv.medianBlur(light, light, 15)
    cv.GaussianBlur(light, light, new cv.Size(9, 9), 0)
    const even = Uint8Array.from(page.data)
    const { channels } = page
    const of = light.data
    // The paper's own tint, over all of the page: a shadow differs from it in brightness, a blue field in colour.
    const tint = Array.from({ length: channels }, (_, c) => upperMean(of, c, channels))
    const brightest = Math.max(...tint)
    for (let y = 0; y < page.height; y += 1) {
      const sy = Math.min(height - 1.001, Math.max(0, (y + 0.5) * scale - 0.5))
      const [y0, fy] = [Math.floor(sy), sy - Math.floor(sy)]
      for (let x = 0; x < page.width; x += 1) {
        const sx = Math.min(width - 1.001, Math.max(0, (x + 0.5) * scale - 0.5))
        const [x0, fx] = [Math.floor(sx), sx - Math.floor(sx)]
        const at = channels * (y0 * width + x0)
        const below = at + (height > 1 ? channels * width : 0)
        let ground = 0
        for (let c = 0; c < channels; c += 1) {
          const upper = (of[at + c] ?? 0) * (1 - fx) + (of[at + channels + c] ?? 0) * fx
          const lower = (of[below + c] ?? 0) * (1 - fx) + (of[below + channels + c] ?? 0) * fx
          ground = Math.max(ground, ((upper * (1 - fy) + lower * fy) * brightest) / (tint[c] || 1))
        }
        const gain = Math.min(maxGain, white / (ground || 1))
        const index = channels * (y * page.width + x)
        for (let c = 0; c < channels; c += 1)
          even[index + c] = Math.min(255, ((page.data[index + c] ?? 0) * gain * brightest) / (tint[c] || 1))
      }
    }
    return { ...page, data: even }
  })
}

/** The mean of the lighter half of a channel. */
function upperMean(data: Uint8Array, channel: number, channels: number): number {
  const counts = new Uint32Array(256)
  let total = 0
  for (let at = channel; at < data.length; at += channels) {
    counts[data[at] ?? 0] = (counts[data[at] ?? 0] ?? 0) + 1
    total += 1
  }
  let [left, sum] = [total / 2, 0]
  for (let value = 255; value >= 0 && left > 0; value -= 1) {
    const taken = Math.min(left, counts[value] ?? 0)
    sum += taken * value
    left -= taken
  }
  return total > 0 ? sum / (total / 2) : 255
}
