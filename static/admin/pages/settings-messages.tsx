/** What messages say, in each language: the built-in words, or the business's own. */
import type { MessageText, Settings } from '../../../src/contract/settings.ts';
import type { Loaded } from '../lib/data.ts';
import { words } from '../lib/format.ts';
import { useFilter } from '../lib/route.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Select, TextArea } from '../ui/form.tsx';
import { List } from '../ui/table.tsx';
import { postAndToast } from '../ui/toast.tsx';
import { LANGUAGES } from './languages.ts';

export function Messages({ settings }: { settings: Loaded<{ settings: Settings }> }) {
  const [chosen, setLanguage] = useFilter('language');
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
        ]}
        actions={text => (
          <Button small label={`Change ${words(text.kind)}`} onClick={() => edit(text, settings.reload)}>
            Change
          </Button>
        )}
      />
    </>
  );
}

const edit = ({ language, kind, own, built_in: builtIn, placeholders }: MessageText, done: () => void) => {
  const known = placeholders.map(name => `{${name}}`).join(', ');
  const name = LANGUAGES.find(([code]) => code === language)?.[1] ?? language;
  ask({
    title: `${words(kind)}, ${name}`,
    fields: (
      <>
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
      </>
    ),
    act: 'Save',
    kind: 'primary',
    run: async ({ text }) => {
      await postAndToast('/admin/settings/messages/', { language, kind, text: text || null });
      done();
    },
  });
};
