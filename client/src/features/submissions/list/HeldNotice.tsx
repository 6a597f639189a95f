import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'

export function HeldNotice({ papers, shown, show }: { papers: number; shown: boolean; show: () => void }) {
  if (papers === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${plural(papers, 'paper needs', 'papers need')} a look first`}
      actions={shown ? undefined : <Button onClick={show}>Show {papers === 1 ? 'it' : 'them'}</Button>}
    >
      Something seems wrong with {papers === 1 ? 'it' : 'them'}, such as two students in one file. Open{' '}
      {papers === 1 ? 'the paper' : 'each paper'} to decide; until then {papers === 1 ? 'it is' : 'they are'} not
      graded.
    </Notice>
  )
}
