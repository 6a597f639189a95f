import { wordsOf } from '../../text/terms.ts'
import { bestJudgement, type Judgement, unclear, verdict } from '../judgement.ts'
import { spelling } from './judge-name.ts'

const TRANSLATES = /\btranslat\w+\b/i
/** Many languages leave them out. */
const PRONOUN = /^(?:yo|tú|él|ella|nosotros|vosotros|ellos|ellas|usted|ustedes|io|lui|lei|noi|voi|loro|ego|nos)$/
const MOST_WORDS = 6

const words = (text: string): string[] =>
  wordsOf(text)
    .map(spelling)
    .filter((word) => !PRONOUN.test(word))

/** One wrong word is half of it. Null where none is to be translated. */
export function judgeTranslation(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map(words)
  if (!TRANSLATES.test(prompt) || keys.some((key) => key.length < 2 || key.length > MOST_WORDS)) return null
  const given = words(answer)
  return bestJudgement(
    keys.map((key) => {
      if (key.join(' ') === given.join(' ')) return verdict(true, 0.895)
      const others = given.filter((word) => !key.includes(word))
      const wrong = Math.max(key.filter((word) => !given.includes(word)).length, others.length)
      const digits = wrong === 1 && /^\d+$/.test(others[0] ?? '')
      return wrong < 2 ? unclear(digits ? 0.75 : 0.5) : verdict(false, 0.6)
    }),
  )
}
