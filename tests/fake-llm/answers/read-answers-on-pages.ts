import type { ReceivedRequest } from '../received-request.ts'
import type { ReadImage } from './honest-grader.ts'
import { parseReadingPrompt } from './parse-reading-prompt.ts'

interface ReadLine {
  page: number
  text: string
  sure: 'sure'
  y: number
}

/** What follows a question's print, line by line, is its answer. Null when nothing of the kind is asked. */
export function readAnswersOnPages({ texts, pictures }: ReceivedRequest, read: ReadImage): unknown {
  const { questions, pages } = parseReadingPrompt(texts)
  if (questions.length === 0) return null
  const prints = questions.map(({ id, prompt }) => ({ id, lines: prompt.split('\n').map(plain) }))
  const found = new Map<string, ReadLine[]>()
  let current: string | null = null
  for (const [i, picture] of pictures.entries()) {
    const lines = read(picture).split('\n')
    for (const [n, text] of lines.entries()) {
      const asked = prints.find((one) => one.lines.includes(plain(text)))
      if (asked) {
        current = asked.id
        found.set(current, found.get(current) ?? [])
      } else if (current && text.trim() !== '')
        found.get(current)?.push({ page: pages[i] ?? 1, text, sure: 'sure', y: (100 * (n + 1)) / (lines.length + 1) })
    }
  }
  return {
    answers: questions.map(({ id }) => {
      const lines = found.get(id)
      const state = lines === undefined ? 'not_on_these_pages' : lines.length > 0 ? 'written' : 'nothing_written'
      return { question_id: id, state, lines: lines ?? [] }
    }),
  }
}

const plain = (text: string) =>
  text
    .replace(/^\s*\d+[.)]\s*/, '')
    .replace(/\(\d+ points?\)\s*$/, '')
    .trim()
