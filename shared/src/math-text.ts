/** A formula is LaTeX without dollar signs; `display`: on a line of its own. */
export type TextPart = { kind: 'text'; text: string } | { kind: 'math'; tex: string; display: boolean }

/** A longer formula is text: nobody types one, and drawing it takes long. */
const MOST_LETTERS = 1000

/**
 * By the rule of Pandoc's `tex_math_dollars`: no space inside either `$` and no digit behind the second, so that “$5
 * and $6” stays text. `\$` is a dollar sign.
 */
const MATH = /\\\$|\$\$(?<display>[^$]+)\$\$|\$(?<inline>(?=\S)(?:\\.|[^$\\\n])+)(?<!\s)\$(?!\d)/g

export function splitMath(text: string): TextPart[] {
  const parts: TextPart[] = []
  const addText = (more: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'text') last.text += more
    else if (more !== '') parts.push({ kind: 'text', text: more })
  }
  let at = 0
  for (const match of text.matchAll(MATH)) {
    addText(text.slice(at, match.index))
    at = match.index + match[0].length
    const { display, inline } = match.groups ?? {}
    const tex = (display ?? inline ?? '').trim()
    if (match[0] === '\\$') addText('$')
    else if (tex === '' || tex.length > MOST_LETTERS) addText(match[0])
    else parts.push({ kind: 'math', tex, display: display !== undefined })
  }
  addText(text.slice(at))
  return parts
}

export const hasMath = (text: string) => text.includes('$') && splitMath(text).some(({ kind }) => kind === 'math')
