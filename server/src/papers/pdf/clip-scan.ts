// Rectangles; clipping; painting or ending a path; pattern colours; other parts of paths.
const operators =
  /(?<=^|[\s\])>])(?:([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+([-+\d.]+)\s+re|(W\*?)|([fFBb]\*?|n|S|s)|(\/\S+\s+scn?)|([lcvy]))(?=[\s[(</]|$)/g

/** A quick test that most pages fail, as they have only text. */
const anyClip = /(?:^|[\s\])>])(?:W\*?|scn?)(?=[\s[(</]|$)/

/** The least width and height of a page, in points. */
const minPageSide = 400

/**
 * Whether a content stream has clips smaller than a page, or pattern colours, which could hide text. May err towards true: then the page
 * is drawn and checked.
 */
export function hasClips(content: string): boolean {
  if (!anyClip.test(content)) return false
  let clip = false
  let bigClip = true
  for (const match of content.matchAll(operators)) {
    const [, x, y, width, height, clips, ends, pattern, other] = match
    if (width !== undefined && height !== undefined) {
      const [w, h] = [Math.abs(Number(width)), Math.abs(Number(height))]
      bigClip &&= w >= minPageSide && h >= minPageSide && Number(x) < 100 && Math.abs(Number(y)) < h
    } else if (other !== undefined) bigClip = false
    else if (pattern !== undefined) return true
    else if (clips !== undefined) clip = true
    else if (ends !== undefined) {
      if (clip && !bigClip) return true
      clip = false
      bigClip = true
    }
  }
  return false
}
