import { escapeRegExp } from '../../lib/escape-reg-exp.ts'

const ITEM = /(?<=[\s(,;:])([A-Za-z]|\d)[.):]?\s+([^,;.()\n?]{3,40}?)(?=\s+(?:with|to|and)\b|[,;.()\n?]|$)/g

/** “A ammeter, B barometer”, printed in the question: what each letter and number stands for, the longest first. */
function itemsIn(prompt: string): [string, string][] {
  return [...prompt.matchAll(ITEM)]
    .map(([, label = '', words = '']): [string, string] => [label, words.replace(/^(?:the|an?)\s+/i, '').trim()])
    .sort(([, a], [, b]) => b.length - a.length)
}

/** With the labels that the key uses in place of their words; as it is where the prompt has not all of them. */
export function labelsForItems(prompt: string, keyLabels: readonly string[], answer: string): string {
  const labels = itemsIn(prompt).filter(([label]) => keyLabels.includes(label.toLowerCase()))
  if (new Set(labels.map(([label]) => label)).size < new Set(keyLabels).size) return answer
  return labels.reduce(
    (rest, [label, words]) => {
      const last = words.split(/\s+/).at(-1) ?? words
      const known = last.length > 3 ? `${escapeRegExp(words)}|${escapeRegExp(last)}` : escapeRegExp(words)
      return rest.replace(new RegExp(String.raw`\b(?:${known})(?!\p{L})`, 'giu'), label)
    },
    answer.replace(/\b(?:the|an?)\s+(?=\p{L}{3})/giu, ''),
  )
}
