/**
 * `right` earns all, `wrong` a quarter at most, `partial` a share between two bounds; of `open` the judge is not sure.
 */
export interface AnswerCases {
  prompt: string
  key: string
  right?: string[]
  wrong?: string[]
  partial?: [answer: string, min: number, max: number][]
  open?: string[]
}

/** Answers as they are written, without escapes: a line, or what stands between two “ | ”, is one. */
export const answers = (text: TemplateStringsArray): string[] =>
  text.raw
    .join('')
    .trim()
    .split(/ \| |\s*\n\s*/)
