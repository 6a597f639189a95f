/** In one line, without options and first lines shared with a neighbour. */
export const ownPrompts = (prompts: readonly string[]): string[] =>
  prompts.map((prompt, i) => ownPrompt(prompt, [prompts[i - 1], prompts[i + 1]]))

function ownPrompt(prompt: string, neighbours: (string | undefined)[]): string {
  const lines = prompt.split('\n')
  const shared = Math.max(...neighbours.map((one) => sharedLines(lines, one?.split('\n') ?? [])))
  const own = lines.slice(Math.min(shared, lines.length - 1))
  const options = own.findIndex((line) => /^\W*[Aa][.):]\s/.test(line))
  return inOneLine((options > 0 ? own.slice(0, options) : own).join(' '))
}

function sharedLines(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, i) => line !== b[i])
  return differs === -1 ? a.length : differs
}

export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
