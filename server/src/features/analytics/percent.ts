/** What people read as a percentage has one decimal. */
export const oneDecimal = (value: number) => Math.round(value * 10) / 10

/** Null where there is nothing to take a part of. */
export const percentOf = (part: number, whole: number) => (whole === 0 ? null : oneDecimal((100 * part) / whole))
