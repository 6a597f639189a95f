import { bareText, chooses, findChoiceOptions } from '@assay/shared/rules/choice-options.ts'

const NAMED =
  /^\W*(?:(?:correct\s+)?(?:answer|option|choice)\s*(?:is|:)?\s*)?[([]?([A-Ja-j])[)\]]?\s*(?:$|[.:;,–—=-]\s*(?=\S)|\s+(?=\S))/
const AT_END = /\b(?:answer|option|choice)\s+(?:is|:)\s*[([]?([A-Ja-j])[)\]]?\s*\.?\s*$/i
const ASKS_LETTER = /\bletters?\b|\bcolumns?\b|\bmatch/i

/** “C – amplitude”, “(b) because …”; null where the key names no option. */
export function chosenOption(prompt: string, key: string): string | null {
  const options = findChoiceOptions(prompt)
  if (options.length === 0 && !ASKS_LETTER.test(prompt)) return null
  const text = key.trim()
  const at = AT_END.exec(text)?.[1] ?? NAMED.exec(text)?.[1]
  if (!at) return null
  const letter = at.toUpperCase()
  const rest = bareText(text.replace(NAMED, ''))
  // “A dog” begins with a word and not with a letter.
  const set = AT_END.test(text) || rest === '' || /^\W*[([]?[A-Ja-j](?:[)\]]|\s*[.:;,–—=-]|\s{2})/.test(text)
  const own = options.find((option) => option.letter === letter)
  const repeats =
    own !== undefined &&
    rest !== '' &&
    (bareText(own.text).startsWith(rest.slice(0, 12)) || rest.startsWith(bareText(own.text)))
  if (!set && !repeats) return null
  return options.length === 0 || own !== undefined || chooses(prompt) ? at : null
}
