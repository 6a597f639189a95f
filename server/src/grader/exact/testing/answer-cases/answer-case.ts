/** `right` earns all, `wrong` a quarter at most, `partial` between two bounds; of `open` the judge is not sure. */
export interface AnswerCases {
  prompt: string
  key: string
  right?: string[]
  wrong?: string[]
  partial?: [answer: string, min: number, max: number][]
  open?: string[]
}

/** One answer per line, or between “ | ”, without escapes. */
export const answers = (text: TemplateStringsArray): string[] =>
  text.raw
    .join('')
    .trim()
    .split(/ \| |\s*\n\s*/)
