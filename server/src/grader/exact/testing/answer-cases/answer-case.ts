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
