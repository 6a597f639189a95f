import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function StudentCoursePage() {
  return (
    <Page>
      <PageHeader title="StudentCoursePage" />
    </Page>
  )
}
