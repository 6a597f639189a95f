/** A failure that whoever runs the server can do something about; the message, which is shown alone, says what. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
