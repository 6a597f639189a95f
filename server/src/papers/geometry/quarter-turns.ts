import type { Box } from '@assay/shared/papers.ts'
import { type PageImage, sharpOf, toGrey } from '../pdf/page-image.ts'

/** Clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3

export async function rotateImage(image: PageImage, turns: QuarterTurns): Promise<PageImage> {
  return turns === 0 ? image : toGrey(sharpOf(image).rotate(turns * 90))
}

/** `page` is its size before the rotation. */
export function rotateBox(box: Box, turns: QuarterTurns, page: { width: number; height: number }): Box {
  const size = turns % 2 ? { width: page.height, height: page.width } : page
  return unrotateBox(box, ((4 - turns) % 4) as QuarterTurns, size)
}

export function unrotateBox(box: Box, turns: QuarterTurns, page: { width: number; height: number }): Box {
  const { x, y, width, height } = box
  switch (turns) {
    case 0:
      return box
    case 1:
      return { x: y, y: page.height - x - width, width: height, height: width }
    case 2:
      return { x: page.width - x - width, y: page.height - y - height, width, height }
    case 3:
      return { x: page.width - y - height, y: x, width: height, height: width }
  }
}
