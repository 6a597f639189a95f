import { type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

/** `XLIX`: as the rules have it, so that `IL` is not 49. */
export const ROMAN_NUMERAL: Notation<string> = {
  read: (key, prompt) => (/\broman\b/i.test(prompt) && /^\s*[MDCLXVI]+\s*$/.test(key) ? key.trim() : null),
  find(answer) {
    const plain = /^[\sMDCLXVI+-]+$/i.test(answer) ? answer.replace(/[\s+-]/g, '') : answer.replace(/#/g, ' ')
    const last = [...plain.matchAll(/(?<![\p{L}\d])[MDCLXVI]+(?![\p{L}\d])/giu)].at(-1)
    if (!last || (last[0] === 'I' && /\bI\s+\p{L}/u.test(plain))) return { skeleton: plain, found: [] }
    return { skeleton: `${plain.slice(0, last.index)}#0#`.replace(/^.*=/s, ''), found: [last[0].toUpperCase()] }
  },
  compare: (key, given) => (key === given ? RIGHT : WRONG),
}
