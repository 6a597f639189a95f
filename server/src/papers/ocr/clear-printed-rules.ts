import type { PageImage } from '../pdf/page-image.ts'
import { removeDotLeaders } from './dot-leaders.ts'
import { findInkBlobs, type InkBlob } from './ink-blobs.ts'
import { type RuledLine, removeRuledLines } from './ruled-lines.ts'

/** Fine dots come out of a scan grey. */
const GREY = 190

/** Takes ruled and dotted lines out of a page image, and gives them and what ink is left: its dark parts, and its letters whole. */
export function clearPrintedRules(image: PageImage): { rules: RuledLine[]; blobs: InkBlob[]; letters: InkBlob[] } {
  const rules = removeRuledLines(image)
  removeDotLeaders(image, findInkBlobs(image, GREY))
  return { rules, blobs: findInkBlobs(image), letters: findInkBlobs(image, GREY) }
}
