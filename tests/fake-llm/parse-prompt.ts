/** A criterion as Assay's prompt tells it. */
export interface RubricCriterion {
  id: string
  points: number
  /** What may be given, in points. */
  steps: number[]
  /** The expected answer and others that are right as well; empty when the key gives none. */
  right: string[]
}

export interface RubricQuestion {
  id: string
  criteria: RubricCriterion[]
}

export interface ParsedPrompt {
  questions: RubricQuestion[]
  /** The student's words by question. */
  answers: Map<string, string>
}

/** Reads a prompt of `server/src/grader/llm-grading/prompt/grading-prompt.ts`; finds no questions in any other. Changes together with it. */
export function parsePrompt(texts: readonly string[]): ParsedPrompt {
  const rubric = texts.find((text) => text.startsWith('# What to grade')) ?? ''
  const questions = sections(rubric, /^## Question \S+ \(([^)\n]+)\)/).map(({ id, text }) => ({
    id,
    criteria: sections(text, /^Criterion (\S+): 0 to /).map(parseCriterion),
  }))
  const answers = new Map<string, string>()
  for (const text of texts) {
    // One part a question, with the words between their marks: what a student writes cannot look like another's.
    const [, id, , words] = /^## Question \S+ \(([^)\n]+)\)[^\n]*\n<<<(\w+)\n([\s\S]*)\n\2>>>/.exec(text) ?? []
    if (id) answers.set(id, words ?? '')
  }
  return { questions, answers }
}

function parseCriterion({ id, text }: { id: string; text: string }): RubricCriterion {
  const points = Number(/0 to (\d+(?:\.\d+)?) points?/.exec(text)?.[1] ?? 0)
  const step = Number(/in steps of (\d+(?:\.\d+)?)/.exec(text)?.[1] ?? points)
  const levels = [...text.matchAll(/^Level of (\d+(?:\.\d+)?) points?:/gm)].map(([, level]) => Number(level))
  const even = Array.from({ length: step > 0 ? Math.round(points / step) : 0 }, (_, n) => (n + 1) * step)
  const right = [
    ...text.matchAll(/^(?:Expected answer|Also right): ([\s\S]*?)(?=\n(?:Also right|Level of|What it asks)|\n\n|$)/gm),
  ]
  return {
    id,
    points,
    steps: levels.length > 0 ? levels : even,
    right: right
      .map(([, words]) => (words ?? '').trim())
      .filter((words) => words && !words.startsWith('the key gives none')),
  }
}

/** A text cut before each line that a head begins, with the id in the head's brackets. */
function sections(text: string, head: RegExp): { id: string; text: string }[] {
  const starts = [...text.matchAll(new RegExp(head, 'gm'))]
  return starts.map((start, n) => ({
    id: start[1] ?? '',
    text: text.slice(start.index, starts[n + 1]?.index),
  }))
}
