export function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** `page 2`, `pages 2 and 5`, `questions 1, 2 and 5`. */
export function numberedList(what: string, numbers: readonly (number | string)[]): string {
  return `${what}${numbers.length === 1 ? '' : 's'} ${listOf(numbers.map(String))}`
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
