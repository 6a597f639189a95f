import type { Evidence } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { clamp } from '../../lib/numbers.ts'
import type { Answer, GradeContext, Picture } from '../grader.ts'

/** Margin around an answer, in PDF points: its words may begin before the line that was read. */
const MARGIN = 14
/** A scan's answer is rarely exactly where the blank has its answer space. */
const REGION_MARGIN = 30
/** The longest side in pixels. Larger ones are scaled down by providers, or cost more without being read better. */
const LONGEST = 1400
const PAGES = 3
/** Where names are on a first page, as a share of its height. */
const HEAD = 0.12

/**
 * The answer's regions as pictures, cropped across the page's width: they show the answer, not the name above it;
 * lines that identify the student are covered. Empty where there is nothing to crop.
 */
export async function cropAnswerPictures(
  question: Question,
  answer: Answer,
  picture: NonNullable<GradeContext['pagePicture']>,
  covered: readonly Evidence[],
): Promise<Picture[]> {
  const places = pageBandsOf(question, answer).slice(0, PAGES)
  const cut: Picture[] = []
  for (const { page, top, bottom } of places) {
    const whole = await picture(page)
    const one = await cropBand(
      whole,
      page,
      { top, bottom },
      covered.filter((line) => line.page === page),
    )
    if (one) cut.push(one)
  }
  return cut
}

interface PageBand {
  page: number
  top: number
  bottom: number
}

function pageBandsOf(question: Question, answer: Answer): PageBand[] {
  const drawn = question.kind === 'drawing' || answer.evidence.length === 0
  const boxes = [
    ...answer.evidence.map((line: Evidence) => ({ ...line, margin: MARGIN })),
    ...(drawn ? question.regions.map((region) => ({ ...region, margin: REGION_MARGIN })) : []),
  ]
  const places = new Map<number, PageBand>()
  for (const { page, box, margin } of boxes) {
    const place = places.get(page) ?? { page, top: Number.POSITIVE_INFINITY, bottom: 0 }
    place.top = Math.min(place.top, box.y - margin)
    place.bottom = Math.max(place.bottom, box.y + box.height + margin)
    places.set(page, place)
  }
  return [...places.values()].sort((a, b) => a.page - b.page)
}

async function cropBand(
  whole: Picture,
  page: number,
  { top, bottom }: Pick<PageBand, 'top' | 'bottom'>,
  covered: readonly Evidence[],
): Promise<Picture | null> {
  // Loaded when first needed: most papers are typed.
  const { default: sharp } = await import('sharp')
  const image = sharp(whole.bytes)
  const { width, height } = await image.metadata()
  // Without the page's size a box cannot be found: nothing can be covered, and the head of the first page is cut off whole.
  const scale = whole.points ? height / whole.points.height : null
  const least = scale === null && page === 1 ? Math.round(height * HEAD) : 0
  const from = scale === null ? least : clamp(Math.floor(top * scale), 0, height)
  const to = scale === null ? height : clamp(Math.ceil(bottom * scale), 0, height)
  if (to - from < 8 || (scale === null && covered.length > 0)) return null
  const boxes = covered.map(({ box }) => ({
    left: clamp(Math.floor(box.x * (scale ?? 1)), 0, width - 1),
    top: clamp(Math.floor(box.y * (scale ?? 1)) - from, 0, to - from - 1),
    width: Math.ceil(box.width * (scale ?? 1)),
    height: Math.ceil(box.height * (scale ?? 1)),
  }))
  const band = await image
    .extract({ left: 0, top: from, width, height: to - from })
    .flatten({ background: '#ffffff' })
    .composite(
      boxes.map((box) => ({
        left: box.left,
        top: box.top,
        input: {
          create: {
            width: clamp(box.width, 1, width - box.left),
            height: clamp(box.height, 1, to - from - box.top),
            channels: 3 as const,
            background: '#000000',
          },
        },
      })),
    )
    .png({ compressionLevel: 1 })
    .toBuffer()
  const bytes = await sharp(band)
    .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer()
  return { bytes, media_type: 'image/jpeg' }
}
