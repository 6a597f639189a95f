export interface RosterMessage {
  tone: 'note' | 'bad'
  text: string
}
