/** Text as a pattern that finds just this text, whatever the case. */
export const literalRegExp = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
