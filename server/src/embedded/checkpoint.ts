/** Throws when the command shall end: its time is over, or its client has gone. Long loops call it every so often. */
export type Checkpoint = () => void

const EVERY = 128

/** To be called for each document: reaches the checkpoint with every 128th. */
export function everySo(checkpoint: Checkpoint | undefined): () => void {
  let seen = 0
  return () => {
    if (++seen % EVERY === 0) checkpoint?.()
  }
}
