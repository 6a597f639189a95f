import { isStopWord, wordsOf } from './terms.ts'

const POOL =
  /^\W*(?:any|either)\s+(?:one|two|three|four|five|six|\d)\b\s*(?:points?\s+)?(?:of|from)?(?:\s+(?:the\s+following|these))?\s*:?\s*/i
const MOST =
  /[([]?\s*\b(?:max(?:imum)?\.?|up\s+to)(?:\s+of)?\s+(?:\d|one|two|three|four|five|six)(?:\s+marks?|\s+points?)?\s*[)\]]?/i
/** “(1)”, “[1]”, “✓”, “(1 mark)” end a point. */
const MARK = /\s*(?:[([]\s*(?:\d(?:\.5)?|½)\s*(?:marks?|points?|pts?)?\s*[)\]]|[✓✔])\s*[.;,]?\s*/g
const LINES = /\s*(?:\n+|;)\s*/
const BULLET = /^\s*(?:[-–—•*·▪◦‣●]\s+|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+)/
const SENTENCES = /(?<=[\p{Ll}\p{N})”"][.!?])\s+(?=[\p{Lu}“"])/u
const CLAUSES =
  /,?\s+(?:because|so\s+that|therefore|hence|whereas|while|but)\s+|,\s+(?:so|and|which|who|as|since|causing|meaning|leading)\s+|(?<=\p{Ll})\s*:\s+/iu

/** Fewer than two make no point. */
const contentStems = (text: string): number => wordsOf(text).filter((word) => !isStopWord(word)).length

/** By its marks, lines, semicolons and sentences; if these are fewer than `marks`, by clauses. */
export function markingPointsOf(key: string, marks: number): string[] {
  const isPool = POOL.test(key) || MOST.test(key)
  const plain = key.replace(POOL, '').replace(MOST, ' ')
  const marked = tidyAll(plain.split(MARK))
  const listed = marked.length > 1 ? marked : tidyAll(plain.split(LINES))
  const said = listed.length > 1 ? listed : tidyAll(plain.split(SENTENCES))
  const points = !isPool && said.length < marks ? divideFurther(said, marks) : said
  return points.length > 0 ? points : [key.trim()]
}

function divideFurther(said: string[], marks: number): string[] {
  const points = [...said]
  for (;;) {
    if (points.length >= marks) return points
    const parted = points
      .map((text, at) => ({ at, parts: tidyAll(text.split(CLAUSES)), length: text.length }))
      .filter(({ parts }) => parts.length > 1 && parts.every((part) => contentStems(part) >= 2))
      .sort((a, b) => b.length - a.length)[0]
    if (!parted) return points
    points.splice(parted.at, 1, ...parted.parts)
  }
}

const tidyAll = (parts: string[]): string[] =>
  parts
    .map((part) =>
      part
        .replace(BULLET, '')
        .replace(/^[\s,;:.]+|[\s,;:]+$/g, '')
        .trim(),
    )
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
