/** The message is shown alone. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
