/** Text as a pattern that finds just this text, whatever the case. */
export const literalPattern = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
