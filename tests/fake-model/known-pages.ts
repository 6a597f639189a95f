import sharp from 'sharp'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../server/src/papers/pdfium.ts'

/** Pictures are compared from afar: what was rendered again, turned upright or had a name covered is still the same page. */
const width = 90
const height = 126
/** Below this it is another page. Two hands on the same printed sheet come to about .8. */
const alike = 0.85

/** Pages somebody told it about, which it knows again when it sees them. */
export class KnownPages {
  readonly #known: { look: Float32Array; text: string }[] = []

  /** `text`: what stands on the picture, a line a line. */
  async learn(picture: Uint8Array, text: string): Promise<void> {
    this.#known.push({ look: await lookAt(picture, 0), text })
  }

  /** A paper's pages, one text for each. */
  async learnPaper(pdf: Uint8Array, texts: readonly string[]): Promise<void> {
    for (const [index, text] of texts.entries()) {
      const page = await withPdfium(pdf, (document) =>
        document.render(index + 1, { width: 600 }, defaultPaperLimits, 'Gray'),
      )
      const raw = { width: page.width, height: page.height, channels: 1 as const }
      await this.learn(await sharp(page.data, { raw }).png().toBuffer(), text)
    }
  }

  /** What stands on the page that a picture is most like; null when it is like none. */
  async read(picture: Uint8Array): Promise<string | null> {
    if (this.#known.length === 0) return null
    let best = { text: '', likeness: alike }
    const small = await sharp(picture)
      .resize({ width: 4 * width })
      .png({ compressionLevel: 1 })
      .toBuffer()
    for (const turn of [0, 90, 180, 270]) {
      const look = await lookAt(small, turn)
      for (const { text, look: other } of this.#known) {
        const likeness = look.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
        if (likeness > best.likeness) best = { text, likeness }
      }
    }
    return best.text === '' ? null : best.text
  }
}

/** Grey values about a mean of 0, of length 1, so that the product of two is their correlation. */
async function lookAt(picture: Uint8Array, turn: number): Promise<Float32Array> {
  const upright = turn === 0 ? picture : await sharp(picture).rotate(turn).toBuffer()
  const grey = await sharp(upright)
    .greyscale()
    .resize(width, height, { fit: 'fill' })
    .blur(0.8)
    .raw()
    .toBuffer()
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length
  const look = Float32Array.from(grey, (value) => value - mean)
  const length = Math.sqrt(look.reduce((sum, value) => sum + value * value, 0)) || 1
  return look.map((value) => value / length)
}
