import type { Line } from '@assay/shared/papers.ts'
import { bottom, middleY, overlapX, right } from '../geometry/boxes.ts'

/** After the last line that begins above the answer in its column. */
export function insertLines(lines: readonly Line[], answers: readonly Line[]): Line[] {
  const merged = [...lines]
  const sorted = [...answers].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
  for (const answer of sorted) {
    const after = merged.findLastIndex(({ box }) => {
      const above = middleY(box) < answer.box.y || (bottom(box) <= bottom(answer.box) && right(box) <= answer.box.x + 1)
      return above && (overlapX(box, answer.box) > 0 || right(box) <= answer.box.x + 1)
    })
    merged.splice(after + 1, 0, answer)
  }
  return merged
}
