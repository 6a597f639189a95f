import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function CoursesPage() {
  return (
    <Page>
      <PageHeader title="CoursesPage" />
    </Page>
  )
}
