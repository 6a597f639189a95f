import type { HiddenReason, Line } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { toPageBox } from '../geometry/matrix.ts'
import { bigramSimilarity } from '../hidden-text/compare-with-ocr.ts'
import { hiddenByPosition } from '../hidden-text/mark-hidden-lines.ts'

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
  hasAppearance: z.boolean().nullish(),
  /** The words of its appearance, which need not be its value. */
  textContent: z.array(z.string()).nullish(),
})
type Annotation = z.infer<typeof Annotation>

const hiddenFlag = 2
const noViewFlag = 32

/** An answer, and whether the page has a picture of it that must show it. */
export interface AnnotationLine {
  line: Line
  drawn: boolean
}

/** Values of form fields and words of notes: answers that are no part of the page's own text. */
export async function readAnnotationLines(page: PDFPageProxy, viewport: PageViewport): Promise<AnnotationLine[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'any' })
  return annotations.flatMap((raw) => {
    const parsed = Annotation.safeParse(raw)
    return parsed.success ? annotationToLines(parsed.data, viewport) : []
  })
}

/** Less alike, what is shown is not what the value says. */
const minSimilarity = 0.5

function annotationToLines(annotation: Annotation, viewport: PageViewport): AnnotationLine[] {
  const field = annotation.subtype === 'Widget'
  const text = field ? fieldText(annotation) : annotationText(annotation)
  const shown = (annotation.textContent ?? []).join('\n')
  const box = toPageBox(annotation.rect, viewport)
  const hidden = hiddenReason(annotation) ?? hiddenByPosition(box, 12, viewport)
  const source = field ? ('field' as const) : ('annotation' as const)
  const drawn = annotation.hasAppearance === true && annotation.subtype !== 'Text' && !isButton(annotation)
  const lines = (words: string, reason: HiddenReason | null): AnnotationLine[] => {
    const parts = words.split(/\r\n|\r|\n/).filter((part) => part.trim() !== '')
    return parts.map((part, index) => ({
      line: {
        text: part.replace(/\s+/g, ' ').trim(),
        // Where a value breaks within its field is up to the viewer: its lines share the field evenly.
        box: { ...box, y: box.y + (box.height * index) / parts.length, height: box.height / parts.length },
        source,
        confidence: 1,
        ...(reason ? { hidden: reason } : {}),
      },
      drawn,
    }))
  }
  const lies = drawn && !hidden && shown.trim() !== '' && text !== '' && bigramSimilarity(shown, text) < minSimilarity
  return lies ? [...lines(shown, null), ...lines(text, 'other_words')] : lines(text, hidden)
}

const isButton = ({ fieldType }: Annotation): boolean => fieldType === 'Btn'

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

function annotationText({ subtype, contentsObj }: Annotation): string {
  return subtype === 'FreeText' || subtype === 'Text' ? (contentsObj?.str ?? '') : ''
}

function hiddenReason(annotation: Annotation): HiddenReason | null {
  if (annotation.hidden || annotation.annotationFlags & (hiddenFlag | noViewFlag)) return 'invisible'
  const letters = brightness(annotation.defaultAppearanceData?.fontColor)
  const paper = brightness(annotation.backgroundColor)
  if (letters !== null && letters > 0.85 && (paper === null || paper > 0.85)) return 'colour'
  return null
}

/** 0 black to 1 white, of pdf.js's array-like of three bytes. */
function brightness(colour: unknown): number | null {
  if (!(colour instanceof Uint8ClampedArray) || colour.length !== 3) return null
  return ((colour[0] ?? 0) * 0.299 + (colour[1] ?? 0) * 0.587 + (colour[2] ?? 0) * 0.114) / 255
}
