import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

walk('an answer from documents opens the passage behind every mark', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('researcher');
  await v.ask('전세금은 얼마까지 올릴 수 있나요?');
  await v.settled();
  const turn = v.turns.last();
  const marks = turn.locator('.markdown .mark');
  const count = await marks.count();
  assert.ok(count > 0, 'sentences are cited');
  // No mark leads nowhere.
  assert.doesNotMatch(await turn.locator('.markdown').innerText(), /\[\d+\]/);
  for (let at = 0; at < Math.min(count, 4); at += 1) {
    await marks.nth(at).click();
    const passage = v.page.getByRole('dialog').locator('blockquote');
    // The whole document, with what is cited marked where it can be seen.
    const cited = passage.locator('mark').first();
    await cited.waitFor();
    await v.page.getByRole('dialog').getByText(v.say('문서 전체', 'The whole document')).waitFor();
    assert.ok((await passage.innerText()).length > (await cited.innerText()).length);
    await v.page.waitForFunction(() => {
      const [mark, box] = [document.querySelector('dialog mark, [role=dialog] mark'), document.querySelector('blockquote')];
      if (!mark || !box) return false;
      const [at, of] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
      return at.bottom > of.top && at.top < of.bottom;
    });
    await v.page.keyboard.press('Escape');
    await passage.waitFor({ state: 'detached' });
  }
  assert.match(await turn.locator('.badge').innerText(), v.say(/답을 찾음|찾으시는 내용일 수 있음/, /Answered|May be what you mean/));
  const checks = turn.locator('details', { hasText: v.say('문장별 확인', 'Checked sentence by sentence') });
  await checks.locator('summary').click();
  assert.ok((await checks.locator('li').count()) > 0);
  await v.accessible('an answer with sources');
  await v.shoot(`researcher-${lang}-light`);
  await v.fits(360);
  await v.leave();
});

walk('what documents do not say is not said', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('researcher');
  await v.ask(v.say('qwzx 프로토콜의 vbnm 값은 얼마인가요?', 'What is the vbnm value of the qwzx protocol?'));
  await v.settled();
  assert.equal(await v.turns.last().locator('.mark').count(), 0);
  assert.match(await v.turns.last().locator('.badge').innerText(), v.say(/문서에 없음/, /Not in the documents/));
  assert.ok((await v.turns.last().locator('.markdown').innerText()).length > 5);
  await v.leave();
});
