export interface QuestionToRead {
  id: string
  number: string
  prompt: string
}

/** Parses a prompt of `server/src/grader/transcribe/read-answers.ts`, and must change with it. Empty for others. */
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
