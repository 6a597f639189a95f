import type { PrintedRubric } from '../../layout/match-printed-lines.ts'
import type { PlacedLine } from '../../layout/paper-lines.ts'
import { pathOfNumber, readPartLabel, readQuestionLabel } from '../../layout/question-labels.ts'
import { readSheetLabels } from './sheet-segments.ts'

type Questions = PrintedRubric['questions']

interface ReadLabel {
  question: string
  rest: string
}

export function labelReader(questions: Questions, anchored: ReadonlySet<string>, lines: readonly PlacedLine[]) {
  // Who writes “Q1”, “Q2” means something else by “1.”.
  const explicitOnly = lines.filter((line) => readQuestionLabel(line.text)?.explicit).length >= 2
  return (text: string, current: string | null): ReadLabel | null => {
    const at = questions.findIndex((question) => question.id === current)
    const here = questions[at]
    const goesOn = readContinued(text, questions)
    if (goesOn) return goesOn
    const label = readQuestionLabel(text) ?? bareNumber(text)
    if (label) {
      const parts = questions.filter((question) => question.main === label.number)
      const inner = readPartLabel(label.rest)
      const part =
        label.part ?? (parts.some((question) => question.part === inner?.part) ? (inner?.part ?? null) : null)
      const wanted = parts.find((question) => question.part === part) ?? parts[0]
      if (wanted) {
        const rest = label.part === null && part !== null && inner ? inner.rest : label.rest
        if (label.explicit) return { question: wanted.id, rest }
        const later = questions.indexOf(wanted) > at
        if (!explicitOnly && later && !anchored.has(wanted.id)) return { question: wanted.id, rest }
      }
      return null
    }
    const inner = readPartLabel(text)
    if (!inner || !here?.part) return null
    const next = questions.find((question) => question.main === here.main && question.part === inner.part)
    if (!next || anchored.has(next.id) || questions.indexOf(next) <= at) return null
    return { question: next.id, rest: inner.rest }
  }
}

function readContinued(text: string, questions: Questions): ReadLabel | null {
  const { labels, continued } = readSheetLabels(text)
  if (!continued || labels[0]?.kind !== 'number') return null
  for (let used = labels.length; used > 0; used -= 1) {
    const path = labels.slice(0, used).map(({ value }) => value)
    const question = questions.find(({ number }) => path.every((value, level) => pathOfNumber(number)[level] === value))
    if (question) return { question: question.id, rest: text.slice(labels[used - 1]?.end) }
  }
  return null
}

function bareNumber(text: string) {
  const match = /^\s*(\d{1,2})\s*$/.exec(text)
  return match ? { number: Number(match[1]), part: null, explicit: false, rest: '' } : null
}
