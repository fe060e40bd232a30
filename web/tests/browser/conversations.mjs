import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

walk('conversations are found, renamed and deleted', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  const unique = `${lang}-${Date.now()}`;
  await v.ask(v.say('최근 24시간 에러 수', 'number of errors in the last 24 hours'));
  await v.settled();
  const list = v.page.getByRole('navigation', { name: v.say('대화 목록', 'Conversations') });
  await list.locator('[aria-current=page]').waitFor();
  await list.locator('.row.current button').click();
  await v.button('이름 바꾸기', 'Rename').click();
  await v.page.getByRole('textbox', { name: v.say('이름 바꾸기', 'Rename') }).fill(`결제 장애 ${unique}`);
  await v.button('저장', 'Save').click();
  await list.getByText(`결제 장애 ${unique}`).waitFor();
  // Half a syllable is enough.
  await v.page.keyboard.press('/');
  await v.page.keyboard.type(`결ㅈ ${unique}`);
  await v.counts(list.locator('a'), 1);
  await v.page.reload();
  await list.getByText(`결제 장애 ${unique}`).waitFor();
  await v.page.keyboard.press('/');
  await v.page.keyboard.type('찾을 수 없는 말');
  await list.getByText(v.say('찾는 대화가 없습니다', 'No conversation matches')).waitFor();
  await v.page.locator('#find').fill('');
  await list.locator('.row.current button').click();
  await v.button('삭제', 'Delete').click();
  await v.page.getByRole('dialog').getByRole('button', { name: v.say('삭제', 'Delete'), exact: true }).click();
  await list.locator('.title', { hasText: unique }).waitFor({ state: 'detached' });
  assert.equal(new URL(v.page.url()).pathname, '/');
  await v.leave();
});

walk('a conversation is found by what was said in it; an answer is pinned and found again', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  const unique = `Zq${lang}${Date.now()}`;
  await v.choose('article');
  await v.ask(v.say(`${unique} 결제 이야기`, `${unique} a tale of payments`));
  await v.button('발행', 'Publish').waitFor();
  const thread = v.page.url().split('/').at(-1);
  // Its title says nothing of it, and it is not among those that the page has.
  await server.ask('PATCH', `/threads/${thread}`, { metadata: { title: 'x' } });
  await v.button('발행', 'Publish').click();
  await v.settled();
  await v.page.goto(server.url);
  const list = v.page.getByRole('navigation', { name: v.say('대화 목록', 'Conversations') });
  await v.page.route('**/threads/search', async (route) => {
    const { text } = route.request().postDataJSON();
    return text ? route.fallback() : route.fulfill({ json: [] });
  });
  await v.page.reload();
  await v.composer.waitFor();
  await v.page.keyboard.press('/');
  await v.page.keyboard.type(`${unique.toLowerCase()} ${v.say('결ㅈ', 'payment')}`);
  const row = list.locator(`a[href="/c/${thread}"]`);
  await row.locator('.excerpt').getByText(unique).waitFor();
  await v.counts(list.locator('.row'), 1);
  await v.accessible('a conversation that was found');
  await v.page.unroute('**/threads/search');
  await row.click();
  await v.settled();
  // The answer is pinned, and its link leads to it.
  await v.button('답변 고정', 'Pin answer', v.turns.last()).click();
  await v.button('답변 고정 풀기', 'Unpin answer', v.turns.last()).waitFor();
  await v.page.locator('#find').fill('');
  await v.page.goto(server.url);
  const pinned = list.getByRole('link', { name: new RegExp(unique) });
  await pinned.click();
  await v.page.waitForFunction((id) => location.pathname === `/c/${id}` && location.hash.length > 1, thread);
  await v.page.waitForFunction(() => document.activeElement?.matches('article'));
  await v.button('답변 고정 풀기', 'Unpin answer', v.turns.last()).click();
  await pinned.waitFor({ state: 'detached' });
  await v.leave();
});

walk('a question is edited and answered again; every branch stays', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
  await v.settled();
  await v.ask(v.say('최근 7일 레벨별 로그 수', 'logs by level in the last 7 days'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  // Edit the first: what came after it belongs to the other branch.
  await v.turns.first().hover();
  await v.button('질문 고치기', 'Edit question', v.turns.first()).click();
  const edited = v.say('최근 24시간 서비스별 WARN 건수', 'WARN logs by service in the last 24 hours');
  await v.turns.first().getByRole('textbox').fill(edited);
  await v.button('고쳐서 보내기', 'Send edited', v.turns.first()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 1);
  await v.settled();
  await v.page.getByText('2/2').waitFor();
  await v.button('이전 갈래', 'Previous branch').click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.button('다음 갈래', 'Next branch').click();
  await v.page.locator(`article[aria-label="${edited}"]`).waitFor();
  assert.equal(await v.turns.count(), 1);
  await v.settled();
  await v.button('다시 답하기', 'Answer again').click();
  await v.page.getByText('3/3').waitFor();
  await v.settled();
  // A question goes on from the branch that is shown.
  await v.button('이전 갈래', 'Previous branch').click();
  await v.page.getByText('2/3').waitFor();
  await v.button('이전 갈래', 'Previous branch').click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.ask(v.say('그중 billing만', 'only billing'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  await v.page.reload();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.leave();
});

walk('Hangul that is being composed is not sent, and the keyboard alone is enough', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.locator('article, section').first().waitFor();
  await v.composer.focus();
  const cdp = await v.context.newCDPSession(v.page);
  await cdp.send('Input.imeSetComposition', { text: '최그', selectionStart: 2, selectionEnd: 2 });
  await v.composer.evaluate((area) => {
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229, bubbles: true, cancelable: true }));
  });
  await v.page.waitForTimeout(200);
  assert.equal(await v.turns.count(), 0, 'Enter ended a syllable');
  await cdp.send('Input.insertText', { text: v.say('최근 24시간 에러 수', 'errors in the last 24 hours') });
  await v.page.keyboard.press('Shift+Enter');
  assert.match(await v.composer.inputValue(), /\n$/);
  await v.page.keyboard.press('Enter');
  await v.settled();
  assert.equal(await v.turns.count(), 1);
  // From the question to the result's tabs and back, without a mouse.
  const tab = v.tab('SQL', 'SQL', v.turns.last());
  if (await tab.count()) {
    await v.page.getByRole('tab').first().focus();
    await v.page.keyboard.press('ArrowLeft');
    assert.equal(await tab.getAttribute('aria-selected'), 'true');
  }
  await v.page.keyboard.press('Alt+n');
  await v.page.waitForFunction(() => location.pathname === '/');
  await v.page.evaluate(() => document.activeElement?.blur());
  await v.page.keyboard.press('?');
  await v.page.getByRole('dialog').waitFor();
  await v.page.keyboard.press('Escape');
  await v.page.getByRole('dialog').waitFor({ state: 'detached' });
  await v.leave();
});

walk('the language and the theme are chosen, and stay', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.button('설정', 'Settings').click();
  await v.page.getByRole('button', { name: lang === 'ko' ? 'English' : '한국어' }).click();
  await v.page.getByRole('button', { name: lang === 'ko' ? 'Dark' : '어둡게', exact: true }).click();
  await v.page.keyboard.press('Escape');
  await v.page.reload();
  await v.page.getByRole('heading', { name: lang === 'ko' ? 'What would you like to know?' : '무엇을 알아볼까요?' }).waitFor();
  const [spoken, scheme] = await v.page.evaluate(() => [document.documentElement.lang, getComputedStyle(document.documentElement).colorScheme]);
  assert.deepEqual([spoken, scheme], [lang === 'ko' ? 'en' : 'ko', 'dark']);
  await v.leave();
});

walk('a conversation that another client began is called by its first question', async ({ browser, server, lang }) => {
  const { thread_id: thread } = await server.ask('POST', '/threads', {});
  const question = (lang === 'ko' ? '최근 24시간 서비스별 에러 건수' : 'errors by service in the last 24 hours');
  await server.ask('POST', `/threads/${thread}/runs/wait`, { assistant_id: 'analyst', input: { question } });
  const v = await Visitor.come(browser, server.url, lang);
  const row = v.page.locator(`a[href="/c/${thread}"]`);
  await row.waitFor();
  assert.equal(await row.locator('.title').innerText(), question);
  await row.click();
  await v.settled();
  await v.page.getByRole('heading', { name: question, level: 1 }).waitFor();
  await v.leave();
});
