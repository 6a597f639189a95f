export interface RubricCriterion {
  id: string
  points: number
  steps: number[]
  right: string[]
}

interface RubricQuestion {
  id: string
  number: string
  criteria: RubricCriterion[]
}

interface ParsedPrompt {
  questions: RubricQuestion[]
  answers: Map<string, string>
}

/** Must change with `server/src/grader/llm-grading/prompt/grading-prompt.ts`. */
export function parsePrompt(texts: readonly string[]): ParsedPrompt {
  const rubric = texts.find((text) => text.startsWith('# What to grade')) ?? ''
  const questions = sections(rubric, /^## Question [^\n(]+ \(([^)\n]+)\)/).map(({ id, text }) => ({
    id,
    number: /^## Question ([^\n(]+) \(/.exec(text)?.[1] ?? '',
    criteria: sections(text, /^Criterion (\S+): 0 to /).map(parseCriterion),
  }))
  const answers = new Map<string, string>()
  for (const text of texts) {
    // One part per question, with the answer between delimiters that a student cannot forge.
    const [, id, , words] = /^## Question [^\n(]+ \(([^)\n]+)\)[^\n]*\n<<<(\w+)\n([\s\S]*)\n\2>>>/.exec(text) ?? []
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
    steps: levels.length > 0 && !text.includes('in steps of') ? levels : even,
    right: right
      .map(([, words]) => (words ?? '').trim())
      .filter((words) => words && !words.startsWith('the key gives none')),
  }
}

function sections(text: string, head: RegExp): { id: string; text: string }[] {
  const starts = [...text.matchAll(new RegExp(head, 'gm'))]
  return starts.map((start, n) => ({ id: start[1] ?? '', text: text.slice(start.index, starts[n + 1]?.index) }))
}

interface QuestionToRead {
  id: string
  number: string
  prompt: string
}

/** Must change with `server/src/grader/transcribe/read-answers.ts`. */
export function parseReadingPrompt(texts: readonly string[]): { questions: QuestionToRead[]; pages: number[] } {
  const listed = texts.find((text) => text.startsWith('# The questions\n')) ?? ''
  const questions = listed.split(/^## Question /m).slice(1)
  return {
    questions: questions.map((text) => {
      const [, number = '', id = '', prompt = ''] = /^([^\n]*) \(([^)\n]+)\)\n([\s\S]*)/.exec(text.trim()) ?? []
      return { id, number, prompt }
    }),
    pages: texts.flatMap((text) => Number(/^Picture (\d+):$/.exec(text)?.[1] ?? 0) || []),
  }
}
