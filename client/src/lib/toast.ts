import { notifications } from '@mantine/notifications'

/** Short word of what happened. Errors are read out at once, the rest when the reader is done. */
function show(message: string, kind: 'good' | 'bad' | 'note') {
  const colours = { good: 'green', bad: 'red', note: 'ink' }
  notifications.show({ message, color: colours[kind], role: kind === 'bad' ? 'alert' : 'status' })
}

export const toast = {
  good: (message: string) => show(message, 'good'),
  bad: (message: string) => show(message, 'bad'),
  note: (message: string) => show(message, 'note'),
}
