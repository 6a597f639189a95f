import type { HiddenReason, Line } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { bottom, middleY, overlapX, right } from './boxes.ts'
import { hiddenByPlace } from './hidden-text.ts'
import { onPage } from './matrix.ts'

/** As much of pdf.js's description of an annotation as is used here. Its own types say `any`. */
const Annotation = z.object({
  subtype: z.string(),
  rect: z.array(z.number()).length(4),
  annotationFlags: z.number().default(0),
  contentsObj: z.object({ str: z.string() }).optional(),
  fieldType: z.string().nullish(),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  hidden: z.boolean().nullish(),
  multiLine: z.boolean().nullish(),
  checkBox: z.boolean().nullish(),
  radioButton: z.boolean().nullish(),
  exportValue: z.string().nullish(),
  buttonValue: z.string().nullish(),
  alternativeText: z.string().nullish(),
  defaultAppearanceData: z.object({ fontColor: z.any() }).nullish(),
  backgroundColor: z.any(),
})
type Annotation = z.infer<typeof Annotation>

const hiddenFlag = 2
const noViewFlag = 32

/** Values of form fields and words of notes: answers that are no part of the page's own text. */
export async function answersOf(page: PDFPageProxy, viewport: PageViewport): Promise<Line[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'any' })
  return annotations.flatMap((raw) => {
    const parsed = Annotation.safeParse(raw)
    return parsed.success ? toLines(parsed.data, viewport) : []
  })
}

function toLines(annotation: Annotation, viewport: PageViewport): Line[] {
  const field = annotation.subtype === 'Widget'
  const text = field ? fieldText(annotation) : noteText(annotation)
  const parts = text.split(/\r\n|\r|\n/).filter((part) => part.trim() !== '')
  const box = onPage(annotation.rect, viewport)
  const hidden = hiddenReason(annotation) ?? hiddenByPlace(box, 12, viewport)
  return parts.map((part, index) => ({
    text: part.replace(/\s+/g, ' ').trim(),
    // Where a value breaks within its field is up to the viewer: its lines share the field evenly.
    box: { ...box, y: box.y + (box.height * index) / parts.length, height: box.height / parts.length },
    source: field ? 'field' : 'annotation',
    confidence: 1,
    ...(hidden ? { hidden } : {}),
  }))
}

function fieldText({
  fieldType,
  fieldValue,
  checkBox,
  radioButton,
  exportValue,
  buttonValue,
  alternativeText,
}: Annotation): string {
  if (fieldType === 'Btn') {
    const on = checkBox ? exportValue : radioButton ? buttonValue : null
    if (!on || on === 'Off' || fieldValue !== on) return ''
    // “Yes” and “On” are names the form's program made up; the tooltip says what the box means.
    return `[x] ${/^(yes|on|true|\d+)$/i.test(on) ? (alternativeText ?? '') : on}`
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return ''
  return Array.isArray(fieldValue) ? fieldValue.join(', ') : (fieldValue ?? '')
}

function noteText({ subtype, contentsObj }: Annotation): string {
  return subtype === 'FreeText' || subtype === 'Text' ? (contentsObj?.str ?? '') : ''
}

function hiddenReason(annotation: Annotation): HiddenReason | undefined {
  if (annotation.hidden || annotation.annotationFlags & (hiddenFlag | noViewFlag)) return 'invisible'
  const letters = brightness(annotation.defaultAppearanceData?.fontColor)
  const paper = brightness(annotation.backgroundColor)
  if (letters !== null && letters > 0.85 && (paper === null || paper > 0.85)) return 'colour'
  return undefined
}

/** 0 black to 1 white, of pdf.js's array-like of three bytes. */
function brightness(colour: unknown): number | null {
  if (!(colour instanceof Uint8ClampedArray) || colour.length !== 3) return null
  return ((colour[0] ?? 0) * 0.299 + (colour[1] ?? 0) * 0.587 + (colour[2] ?? 0) * 0.114) / 255
}

/** Puts answers where they stand on the page: each after the last line that begins above it in its column. */
export function insertAnswers(lines: readonly Line[], answers: readonly Line[]): Line[] {
  const merged = [...lines]
  const sorted = [...answers].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
  for (const answer of sorted) {
    const after = merged.findLastIndex(({ box }) => {
      const above =
        middleY(box) < answer.box.y || (bottom(box) <= bottom(answer.box) && right(box) <= answer.box.x + 1)
      return above && (overlapX(box, answer.box) > 0 || right(box) <= answer.box.x + 1)
    })
    merged.splice(after + 1, 0, answer)
  }
  return merged
}
