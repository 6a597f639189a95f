import type { HiddenReason, Line, Shape } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { toPageBox } from '../geometry/matrix.ts'
import { bigramSimilarity } from '../hidden-text/compare-with-ocr.ts'
import { hiddenByPosition } from '../hidden-text/mark-hidden-lines.ts'
import { type AnnotationKey, isSamePlace } from '../pdf/pdfium-annotation-ink.ts'

/** pdf.js types its annotations as `any`. */
const Annotation = z.object({
  subtype: z.string(),
  rect: z.array(z.number()).length(4),
  /** Eight numbers for each marked line. */
  quadPoints: z.unknown().optional(),
  annotationFlags: z.number().default(0),
  contentsObj: z.object({ str: z.string() }).optional(),
  fieldType: z.string().nullish(),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  hidden: z.boolean().nullish(),
  checkBox: z.boolean().nullish(),
  radioButton: z.boolean().nullish(),
  exportValue: z.string().nullish(),
  buttonValue: z.string().nullish(),
  alternativeText: z.string().nullish(),
  defaultAppearanceData: z.object({ fontColor: z.any(), fontSize: z.number().nullish().catch(null) }).nullish(),
  backgroundColor: z.any(),
  hasAppearance: z.boolean().nullish(),
  /** Of its appearance, which may differ from its value. */
  textContent: z.array(z.string()).nullish(),
})
type Annotation = z.infer<typeof Annotation>

const hiddenFlag = 2
const noViewFlag = 32

/** `drawnBy`: whose appearance must show the value; null where viewers draw it without one. */
export interface AnnotationLine {
  line: Line
  drawnBy: AnnotationKey | null
}

/** Form values and note texts, which are not part of the page's text. */
export async function readAnnotationLines(page: PDFPageProxy, viewport: PageViewport): Promise<AnnotationLine[]> {
  const raw: unknown[] = await page.getAnnotations({ intent: 'any' })
  const annotations = raw.flatMap((one) => Annotation.safeParse(one).data ?? [])
  const seen: Pick<AnnotationKey, 'kind' | 'rect'>[] = []
  return annotations.flatMap((annotation, at) => {
    const key = keyOf(annotation)
    const among = key ? seen.filter((other) => isSamePlace(other, key)).length : 0
    if (key) seen.push(key)
    const covered = annotations.slice(at + 1).some((later) => paints(later) && covers(later, annotation))
    return annotationToLines(annotation, viewport, { key: key && { ...key, among }, covered })
  })
}

function keyOf({ subtype, rect }: Annotation): Pick<AnnotationKey, 'kind' | 'rect'> | null {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect
  const known = subtype === 'FreeText' || subtype === 'Widget' || subtype === 'Caret'
  return known ? { kind: subtype, rect: [left, bottom, right, top] } : null
}

const paints = (annotation: Annotation): boolean =>
  !hiddenReason(annotation) && (annotation.hasAppearance === true || markers.has(annotation.subtype))

function covers({ rect: [l = 0, b = 0, r = 0, t = 0] }: Annotation, { rect }: Annotation): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect
  const shared =
    Math.max(0, Math.min(r, right) - Math.max(l, left)) * Math.max(0, Math.min(t, top) - Math.max(b, bottom))
  return shared > 0.5 * (right - left) * (top - bottom)
}

const markers = new Set([
  'Circle',
  'Square',
  'Ink',
  'Line',
  'PolyLine',
  'Polygon',
  'Highlight',
  'Underline',
  'StrikeOut',
  'Squiggly',
  'Stamp',
])

/** Share of the words' height. */
const lineHeights: Readonly<Record<string, number>> = { StrikeOut: 0.52, Underline: 0.94, Squiggly: 0.94 }

export async function readAnnotationMarks(page: PDFPageProxy, viewport: PageViewport): Promise<Shape[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'any' })
  return annotations.flatMap((raw) => {
    const parsed = Annotation.safeParse(raw)
    if (!parsed.success || !markers.has(parsed.data.subtype) || hiddenReason(parsed.data)) return []
    const at = lineHeights[parsed.data.subtype]
    if (at === undefined) return [{ kind: 'frame', box: toPageBox(parsed.data.rect, viewport) }]
    return quadsOf(parsed.data).map((quad): Shape => {
      const box = toPageBox(quad, viewport)
      return { kind: 'rule', box: { ...box, y: box.y + box.height * at, height: 0.8 } }
    })
  })
}

/** Left, bottom, right, top; the annotation's rectangle where it has no quads. */
function quadsOf({ rect, quadPoints }: Annotation): number[][] {
  const points = quadPoints instanceof Float32Array || Array.isArray(quadPoints) ? Array.from(quadPoints, Number) : []
  const quads: number[][] = []
  for (let at = 0; at + 8 <= points.length; at += 8) {
    const across = [0, 2, 4, 6].map((i) => points[at + i] ?? 0)
    const up = [1, 3, 5, 7].map((i) => points[at + i] ?? 0)
    quads.push([Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)])
  }
  return quads.length > 0 ? quads : [rect]
}

/** Below it the appearance shows another text than the value. */
const minSimilarity = 0.5
/** Where viewers choose the size to fill the field. */
const usualSize = 12

function annotationToLines(
  annotation: Annotation,
  viewport: PageViewport,
  { key, covered }: { key: AnnotationKey | null; covered: boolean },
): AnnotationLine[] {
  const field = annotation.subtype === 'Widget'
  const text = field ? fieldText(annotation) : annotationText(annotation)
  const shown = (annotation.textContent ?? []).join('\n')
  const box = toPageBox(annotation.rect, viewport)
  const drawn = annotation.hasAppearance === true && annotation.subtype !== 'Text' && annotation.fieldType !== 'Btn'
  // A note behind an icon opens whatever lies over the icon.
  const unseen = !drawn && covered && annotation.subtype !== 'Text' ? ('covered' as const) : null
  const size = drawn ? usualSize : annotation.defaultAppearanceData?.fontSize || usualSize
  const hidden = hiddenReason(annotation) ?? hiddenByPosition(box, size, viewport) ?? unseen
  const source = field ? ('field' as const) : ('annotation' as const)
  const lines = (words: string, reason: HiddenReason | null): AnnotationLine[] => {
    const parts = words.split(/\r\n|\r|\n/).filter((part) => part.trim() !== '')
    return parts.map((part, index) => ({
      line: {
        text: part.replace(/\s+/g, ' ').trim(),
        box: { ...box, y: box.y + (box.height * index) / parts.length, height: box.height / parts.length },
        source,
        confidence: 1,
        ...(reason ? { hidden: reason } : {}),
      },
      drawnBy: drawn ? key : null,
    }))
  }
  const mismatched =
    drawn && !hidden && shown.trim() !== '' && text !== '' && bigramSimilarity(shown, text) < minSimilarity
  return mismatched ? [...lines(shown, null), ...lines(text, 'other_words')] : lines(text, hidden)
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
    // “Yes” and “On” are generated names; the tooltip says what the box means.
    return `[x] ${/^(yes|on|true|\d+)$/i.test(on) ? (alternativeText ?? '') : on}`
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return ''
  return Array.isArray(fieldValue) ? fieldValue.join(', ') : (fieldValue ?? '')
}

function annotationText({ subtype, contentsObj }: Annotation): string {
  return subtype === 'FreeText' || subtype === 'Text' || subtype === 'Caret' ? (contentsObj?.str ?? '') : ''
}

function hiddenReason(annotation: Annotation): HiddenReason | null {
  if (annotation.hidden || annotation.annotationFlags & (hiddenFlag | noViewFlag)) return 'invisible'
  const letters = brightness(annotation.defaultAppearanceData?.fontColor)
  const paper = brightness(annotation.backgroundColor)
  if (letters !== null && letters > 0.85 && (paper === null || paper > 0.85)) return 'colour'
  return null
}

/** 0 black to 1 white. */
function brightness(colour: unknown): number | null {
  if (!(colour instanceof Uint8ClampedArray) || colour.length !== 3) return null
  return ((colour[0] ?? 0) * 0.299 + (colour[1] ?? 0) * 0.587 + (colour[2] ?? 0) * 0.114) / 255
}
