export const oneDecimal = (value: number) => Math.round(value * 10) / 10

export const percentOf = (part: number, whole: number) => (whole === 0 ? null : oneDecimal((100 * part) / whole))
