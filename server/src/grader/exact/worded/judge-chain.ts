import type { Judgement } from '../judgement.ts'
import { judgeOrder } from '../list-answers.ts'
import { membersOf } from '../list-members.ts'

const ARROW = /→|⟶|➔|=>|->|\s>\s|\s<\s|\bthen\b/g
const MOST_WORDS = 3

/** “grass → rabbit → fox”: arrows between three things and more put them in order, whatever the prompt says. */
export function judgeChain(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.filter((text) => {
    const members = membersOf(text)
    const arrows = text.match(ARROW)?.length ?? 0
    const short = members.every((member) => member.split(/\s+/).length <= MOST_WORDS)
    return text.length <= 160 && members.length > 2 && arrows === members.length - 1 && short && !/[=+]/.test(text)
  })
  return keys.length > 0 && keys.length === accepted.length ? judgeOrder(keys, answer, prompt) : null
}
