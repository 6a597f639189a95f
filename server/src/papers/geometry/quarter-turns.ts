import type { Box } from '@assay/shared/papers.ts'
import sharp from 'sharp'
import type { PageImage } from '../pdf/page-image.ts'

/** Clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3

export async function rotateImage({ data, width, height }: PageImage, turns: QuarterTurns): Promise<PageImage> {
  if (turns === 0) return { data, width, height }
  const turned = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(turns * 90)
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return turns === 2 ? { data: turned, width, height } : { data: turned, width: height, height: width }
}

/** `page` is its size before the rotation. */
export function rotateBox(box: Box, turns: QuarterTurns, page: { width: number; height: number }): Box {
  const size = turns % 2 ? { width: page.height, height: page.width } : page
  return unrotateBox(box, ((4 - turns) % 4) as QuarterTurns, size)
}

/** The inverse of `rotateBox`; `page` is its size before it was rotated. */
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
