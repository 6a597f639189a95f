// Rectangles; clipping or painting a path; colours; showing text; shadings and inline images.
const operators =
  /(?<=^|[\s\])>])(?:([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+re|(W\*?)|([fFBb]\*?)|(n|S|s)|((?:[-+]?[\d.]+\s+){1,4})(?:g|rg|k|scn?)|(\/\S+\s+scn?)|(Tj|TJ|'|")|(sh|BI)|([lcvy]))(?=[\s[(</]|$)/g

/** A quick test that most pages fail, as they have only text. */
const anyPaintingOperator = /[\s\])>](?:W\*?|[fFBb]\*?|sh|BI|scn?)(?=[\s[(</]|$)/

/** The least width and height of a page, in points. */
const minPageSide = 400

/** Anything thicker is an area, in points. */
export const maxRuleThickness = 4.5

interface PaintingScan {
  /** Areas over text, areas behind it that are not white, shadings, inline images. Not rules and borders. */
  areas: boolean
  /** Clips smaller than a page, and pattern colours. */
  clips: boolean
}

/**
 * Whether a content stream could hide text by painting or clipping. May err towards true: then the page is drawn and checked.
 */
export function scanPaintingOperators(content: string): PaintingScan {
  const found: PaintingScan = { areas: false, clips: false }
  if (!anyPaintingOperator.test(content)) return found
  let text = false
  let white = false
  let area = false
  let clip = false
  let bigClip = true
  let rules = 0
  for (const match of content.matchAll(operators)) {
    const [, x, y, width, height, clips, paints, ends, colour, pattern, shows, other, curve] = match
    if (width !== undefined && height !== undefined) {
      const [w, h] = [Math.abs(Number(width)), Math.abs(Number(height))]
      area ||= !(Math.min(w, h) <= maxRuleThickness && Math.max(w, h) > maxRuleThickness)
      rules += 1
      bigClip &&= w >= minPageSide && h >= minPageSide && Number(x) < 100 && Math.abs(Number(y)) < h
    } else if (curve !== undefined) {
      area = true
      bigClip = false
    } else if (clips !== undefined) clip = true
    else if (paints !== undefined || ends !== undefined) {
      found.clips ||= clip && !bigClip
      // Many rules together make an area.
      found.areas ||= paints !== undefined && (area || rules > 2) && (text || !white)
      area = false
      clip = false
      bigClip = true
    } else if (colour !== undefined) white = isWhite(colour)
    else if (shows !== undefined) text = true
    else if (pattern !== undefined) found.clips = true
    else if (other !== undefined) found.areas = true
  }
  return found
}

function isWhite(colour: string): boolean {
  const values = colour.trim().split(/\s+/).map(Number)
  return values.length === 4 ? values.every((value) => value < 0.03) : values.every((value) => value > 0.97)
}
