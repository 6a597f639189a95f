/** The operator can do something about it; the message is shown alone. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
