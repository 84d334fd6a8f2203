/** What messages say, in each language: the built-in words, or the business's own. */
import { useState } from 'preact/hooks';
import type { MessageText, Settings } from '../../../src/contract/settings.ts';
import { post } from '../lib/api.ts';
import type { Loaded } from '../lib/data.ts';
import { words } from '../lib/format.ts';
import { useFilter } from '../lib/route.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Form, Select, TextArea } from '../ui/form.tsx';
import { List } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { LANGUAGES } from './languages.ts';

export function Messages({ settings }: { settings: Loaded<{ settings: Settings }> }) {
  const [chosen, setLanguage] = useFilter('language');
  const [edited, setEdited] = useState<MessageText | null>(null);
  const texts = settings.data?.settings.messages ?? [];
  const spoken = LANGUAGES.filter(([code]) => texts.some(text => text.language === code));
  const language = chosen || settings.data?.settings.system.language_code;
  const shown = spoken.some(([code]) => code === language) ? language : 'en';
  return (
    <>
      <div class="filters">
        <Select name="language" label="Language" value={shown} options={spoken} onChange={setLanguage} />
      </div>
      <p class="muted">
        Messages of Lango fit one SMS of 160 places. People whose language is not listed get English. What already waits
        to be sent keeps its words.
      </p>
      <List
        label="Messages"
        from={settings}
        rowsOf={data => data.settings.messages.filter(text => text.language === shown)}
        id={text => `${text.language} ${text.kind}`}
        empty={<Empty icon="sms" title="There are no messages." />}
        columns={[
          { label: 'About', cell: text => words(text.kind) },
          {
            label: 'Words',
            cell: text => (
              <Badge tone={text.own === null ? 'off' : 'good'}>{text.own === null ? 'Built in' : 'Your own'}</Badge>
            ),
          },
          { label: 'As it reads', cell: text => <span class="text">{text.example}</span> },
          {
            label: 'Actions',
            actions: true,
            cell: text => (
              <Button small label={`Change ${words(text.kind)}`} onClick={() => setEdited(text)}>
                Change
              </Button>
            ),
          },
        ]}
      />
      {edited !== null && (
        <Edit
          text={edited}
          close={() => setEdited(null)}
          saved={said => {
            setEdited(null);
            settings.reload();
            showToast(said);
          }}
        />
      )}
    </>
  );
}

interface EditProps {
  text: MessageText;
  close: () => void;
  saved: (said: string) => void;
}

function Edit({ text: { language, kind, own, built_in: builtIn, placeholders }, close, saved }: EditProps) {
  const known = placeholders.map(name => `{${name}}`).join(', ');
  const name = LANGUAGES.find(([code]) => code === language)?.[1] ?? language;
  return (
    <Dialog title={`${words(kind)}, ${name}`} onClose={close}>
      <Form
        submit="Save"
        onCancel={close}
        onSubmit={async values => {
          const change = { language, kind, text: values['text'] || null };
          saved((await post<{ message: string }>('/admin/settings/messages/', change)).message);
        }}
      >
        <TextArea
          name="text"
          label="Your own words"
          value={own}
          hint={`Lango fills in ${known}. Empty: the built-in words.`}
        />
        <div>
          <p class="muted">Built in:</p>
          <pre>{builtIn}</pre>
        </div>
      </Form>
    </Dialog>
  );
}
