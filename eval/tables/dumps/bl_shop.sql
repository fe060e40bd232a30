--
-- PostgreSQL database dump
--

\restrict 1CDRPhc0qdAPFHVd68iH3djJek8aIp9NDyBUq7M1BBmjcYUA3a2mCKjwmmSLLVK

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orders (
    order_no integer NOT NULL,
    order_date date NOT NULL,
    ship_date date,
    delivery_date date,
    customer_name text NOT NULL,
    city text NOT NULL,
    channel text NOT NULL,
    product text NOT NULL,
    category text NOT NULL,
    quantity integer NOT NULL,
    unit_price numeric(8,2) NOT NULL,
    shipping_fee numeric(6,2) NOT NULL,
    total_amount numeric(9,2) NOT NULL,
    payment_method text NOT NULL,
    status text NOT NULL,
    is_gift boolean NOT NULL,
    newsletter_optin boolean NOT NULL,
    rating integer,
    coupon_code text,
    review text
);


--
-- Data for Name: orders; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.orders (order_no, order_date, ship_date, delivery_date, customer_name, city, channel, product, category, quantity, unit_price, shipping_fee, total_amount, payment_method, status, is_gift, newsletter_optin, rating, coupon_code, review) FROM stdin;
10001	2025-07-03	2025-07-04	2025-07-07	Zofia Hartley	Bath	website	Speckled Mug	Teaware	2	14.50	4.95	33.95	card	returned	f	f	2	\N	Took forever, late for the birthday
10002	2025-07-03	2025-07-05	2025-07-06	Rhian Kaur	York	website	Waffle Towel	Textiles	4	17.00	0.00	68.00	card	delivered	t	f	4	\N	\N
10003	2025-07-05	2025-07-07	2025-07-10	Harry Thornton	Bristol	website	Speckled Mug	Teaware	2	14.50	3.50	32.50	paypal	delivered	f	t	\N	\N	\N
10004	2025-07-05	2025-07-09	2025-07-12	Conor Doyle	Leeds	instagram	Stoneware Teapot	Teaware	6	38.00	0.00	228.00	bank transfer	delivered	f	f	1	\N	\N
10005	2025-07-07	2025-07-10	2025-07-13	Rhian Quigley	Cardiff	instagram	Soy Candle Fig	Candles	1	16.00	4.95	20.95	card	delivered	f	f	5	\N	Lovely, arrived well wrapped
10006	2025-07-09	2025-07-13	2025-07-16	Leo Marsden	Norwich	instagram	Glass Tea Infuser	Teaware	4	11.90	4.95	52.55	card	returned	t	f	2	\N	\N
10007	2025-07-09	2025-07-10	2025-07-12	Noah Lloyd	Glasgow	phone	Dotted Notebook	Stationery	1	9.90	3.50	13.40	paypal	delivered	f	t	5	\N	Lovely, arrived well wrapped
10008	2025-07-10	2025-07-10	2025-07-12	Poppy Marsden	York	website	Dotted Notebook	Stationery	3	9.90	3.50	33.20	klarna	delivered	f	t	5	\N	Beautiful colour, even nicer in person
10009	2025-07-11	2025-07-11	2025-07-13	Zofia Marsden	Glasgow	website	Monstera Cutting	Plants	2	13.00	4.95	30.95	card	delivered	f	f	3	\N	\N
10010	2025-07-11	2025-07-14	2025-07-15	Harry Rahman	Glasgow	phone	Soy Candle Fig	Candles	3	16.00	0.00	48.00	card	delivered	f	f	4	FREESHIP	\N
10011	2025-07-14	2025-07-15	2025-07-18	Ivy Pritchard	Glasgow	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	card	delivered	t	f	5	\N	Bought as a gift, she loved it
10012	2025-07-14	2025-07-14	2025-07-16	Dylan Okafor	Cardiff	etsy	Matcha Whisk Set	Teaware	4	22.00	0.00	88.00	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10013	2025-07-15	2025-07-17	2025-07-20	Amelia Rahman	Bristol	etsy	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	t	f	\N	\N	\N
10014	2025-07-17	2025-07-21	2025-07-24	Isla Fenwick	Cardiff	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	paypal	delivered	f	t	5	\N	Lovely, arrived well wrapped
10015	2025-07-18	2025-07-19	2025-07-21	Isla Quigley	Glasgow	website	Recycled Gift Wrap	Stationery	1	5.50	4.95	10.45	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10016	2025-07-19	2025-07-23	2025-07-25	Leo Thornton	Bristol	phone	Hanging Planter	Plants	1	24.50	3.50	28.00	paypal	returned	f	t	2	\N	Chipped rim, had to send it back
10017	2025-07-19	2025-07-19	2025-07-20	Oliver Okafor	Bristol	instagram	Glass Tea Infuser	Teaware	1	11.90	4.95	16.85	bank transfer	delivered	f	f	5	\N	Beautiful colour, even nicer in person
10018	2025-07-21	2025-07-25	2025-07-26	Dylan Hartley	Glasgow	instagram	Soy Candle Fig	Candles	3	16.00	3.50	51.50	klarna	delivered	f	f	5	\N	\N
10019	2025-07-23	2025-07-26	2025-07-29	Arjun Novak	Belfast	etsy	Hanging Planter	Plants	6	24.50	0.00	147.00	card	delivered	f	f	5	\N	\N
10020	2025-07-24	2025-07-25	2025-07-28	Ivy Pritchard	Glasgow	website	Hand Grinder	Coffee	2	54.00	0.00	108.00	paypal	delivered	f	f	\N	FREESHIP	\N
10021	2025-07-24	2025-07-24	2025-07-29	Dylan Novak	Cardiff	phone	Wool Throw	Textiles	1	79.00	0.00	79.00	card	delivered	f	f	5	\N	\N
10022	2025-07-24	2025-07-26	2025-07-28	Zofia Kaur	Sheffield	phone	Monstera Cutting	Plants	1	13.00	4.95	16.65	card	returned	f	f	2	WELCOME10	Chipped rim, had to send it back
10023	2025-07-25	2025-07-26	2025-07-28	Oliver Doyle	Bristol	website	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	t	5	\N	Quick delivery and a handwritten note
10024	2025-07-25	2025-07-26	2025-07-27	Hannah Thornton	Norwich	etsy	Monstera Cutting	Plants	2	13.00	3.50	29.50	card	delivered	f	f	3	\N	Nice but smaller than I expected
10025	2025-07-26	2025-07-29	2025-08-01	Grace Fenwick	Bristol	phone	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	t	\N	\N	\N
10026	2025-07-26	2025-07-27	2025-07-30	Dylan Bailey	Leeds	website	Dotted Notebook	Stationery	2	9.90	0.00	19.80	klarna	delivered	t	f	4	FREESHIP	Beautiful colour, even nicer in person
10027	2025-07-27	2025-07-31	2025-08-02	Priya Bailey	Cardiff	website	Recycled Gift Wrap	Stationery	2	5.50	4.95	15.95	paypal	delivered	f	t	4	\N	Lovely, arrived well wrapped
10028	2025-07-27	2025-07-29	2025-07-30	Jakub Hartley	Leeds	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	card	delivered	f	f	5	\N	Second time I order this, never disappoints
10029	2025-07-29	2025-07-30	2025-08-02	Rory Bailey	Bristol	etsy	Wool Throw	Textiles	1	79.00	0.00	79.00	paypal	delivered	f	t	5	\N	Second time I order this, never disappoints
10030	2025-07-29	2025-08-01	2025-08-02	Zofia Kaur	Sheffield	phone	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	f	f	\N	\N	\N
10031	2025-07-30	2025-08-08	2025-08-10	Zofia Bailey	Glasgow	instagram	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	paypal	delivered	f	t	\N	\N	\N
10032	2025-07-30	2025-08-02	2025-08-04	George Marsden	Glasgow	website	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	paypal	delivered	f	f	\N	\N	\N
10033	2025-07-31	2025-08-01	2025-08-06	Leo Marsden	Norwich	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	card	delivered	f	f	\N	\N	\N
10034	2025-08-01	2025-08-03	2025-08-05	Yusuf Quigley	Leeds	etsy	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	f	f	\N	\N	\N
10035	2025-08-01	2025-08-02	2025-08-05	Oliver Hartley	York	instagram	Hanging Planter	Plants	1	24.50	0.00	24.50	paypal	delivered	f	t	5	FREESHIP	\N
10036	2025-08-03	2025-08-04	2025-08-05	Rory Brodie	Sheffield	website	Speckled Mug	Teaware	10	14.50	0.00	123.25	klarna	delivered	f	f	2	SPRING15	\N
10037	2025-08-03	2025-08-12	2025-08-15	Samuel Quigley	Bristol	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	klarna	delivered	f	f	\N	\N	\N
10038	2025-08-04	2025-08-05	2025-08-08	Elsie Lloyd	Cardiff	website	House Blend Beans 1kg	Coffee	1	21.00	4.95	25.95	card	delivered	f	t	\N	\N	\N
10039	2025-08-04	\N	\N	Samuel Bailey	Bristol	website	Hanging Planter	Plants	2	24.50	3.50	52.50	card	cancelled	f	t	\N	\N	\N
10040	2025-08-04	2025-08-06	2025-08-09	Harry Underhill	Norwich	etsy	Soy Candle Cedar	Candles	4	16.00	0.00	64.00	card	delivered	t	t	5	\N	\N
10041	2025-08-05	2025-08-06	2025-08-08	Rhian Marsden	York	website	Glass Tea Infuser	Teaware	2	11.90	3.50	27.30	paypal	delivered	f	f	5	\N	Beautiful colour, even nicer in person
10042	2025-08-06	2025-08-09	2025-08-16	Edith Walsh	Leeds	website	Glass Tea Infuser	Teaware	3	11.90	3.50	39.20	paypal	delivered	t	t	4	\N	Great quality for the price
10043	2025-08-07	2025-08-08	2025-08-10	Poppy Marsden	York	etsy	Matcha Whisk Set	Teaware	2	22.00	3.50	40.90	paypal	delivered	f	t	4	SPRING15	\N
10044	2025-08-08	2025-08-09	2025-08-11	Harry Underhill	Norwich	website	Matcha Whisk Set	Teaware	1	22.00	3.50	25.50	card	delivered	f	t	5	\N	\N
10045	2025-08-08	2025-08-09	2025-08-11	Callum Sinclair	Leeds	website	Hand Grinder	Coffee	2	54.00	0.00	108.00	card	delivered	t	f	\N	\N	\N
10046	2025-08-09	\N	\N	Callum Marsden	Leeds	etsy	Dotted Notebook	Stationery	1	9.90	3.50	12.41	paypal	cancelled	f	f	\N	WELCOME10	\N
10047	2025-08-10	2025-08-11	2025-08-15	Isla Lloyd	Sheffield	website	Waffle Towel	Textiles	2	17.00	3.50	37.50	card	delivered	f	f	\N	\N	\N
10048	2025-08-10	2025-08-12	2025-08-14	Ivy Quigley	Bristol	instagram	Speckled Mug	Teaware	1	14.50	3.50	18.00	card	delivered	f	t	5	\N	\N
10049	2025-08-11	2025-08-20	2025-08-24	Freya Bailey	Belfast	website	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	card	delivered	f	f	\N	\N	\N
10050	2025-08-16	2025-08-18	2025-08-21	Isla Quigley	Glasgow	phone	Speckled Mug	Teaware	3	14.50	3.50	47.00	card	delivered	f	f	5	\N	Great quality for the price
10051	2025-08-16	2025-08-18	2025-08-25	Edith Yates	Brighton	instagram	Matcha Whisk Set	Teaware	1	22.00	3.50	25.50	klarna	delivered	f	t	5	\N	\N
10052	2025-08-17	2025-08-20	2025-08-22	Conor Fenwick	York	etsy	Stoneware Teapot	Teaware	1	38.00	4.95	39.15	klarna	delivered	f	f	5	WELCOME10	\N
10053	2025-08-21	2025-08-22	2025-08-24	Niamh Thornton	Glasgow	etsy	Stoneware Teapot	Teaware	6	38.00	0.00	205.20	bank transfer	returned	f	f	\N	WELCOME10	\N
10054	2025-08-21	2025-08-21	2025-08-26	Grace Rahman	Sheffield	website	Speckled Mug	Teaware	1	14.50	4.95	19.45	card	delivered	f	t	\N	\N	\N
10055	2025-08-21	2025-08-21	2025-08-23	Freya Rahman	Bristol	etsy	Matcha Whisk Set	Teaware	1	22.00	4.95	23.65	card	delivered	f	f	\N	SPRING15	\N
10056	2025-08-22	2025-08-22	2025-08-27	Poppy Kaur	Leeds	phone	Stoneware Teapot	Teaware	1	38.00	3.50	33.90	card	delivered	f	t	\N	FRIENDS20	\N
10057	2025-08-25	2025-08-29	2025-09-01	Conor Quigley	Bath	website	House Blend Beans 1kg	Coffee	2	21.00	4.95	46.95	klarna	returned	f	f	\N	\N	\N
10058	2025-08-25	2025-08-29	2025-08-31	Poppy Marsden	York	website	Brass Pen	Stationery	1	32.00	4.95	36.95	paypal	delivered	f	t	4	\N	\N
10059	2025-08-25	2025-08-25	2025-08-29	Harry Kaur	Glasgow	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	paypal	delivered	f	f	4	\N	\N
10060	2025-08-26	2025-08-28	2025-09-01	Conor Thornton	Glasgow	website	Brass Pen	Stationery	1	32.00	4.95	36.95	klarna	delivered	f	t	\N	\N	\N
10061	2025-08-27	2025-08-28	2025-08-30	Dylan Underhill	Norwich	etsy	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	paypal	delivered	t	f	5	\N	Quick delivery and a handwritten note
10062	2025-08-28	2025-08-30	2025-09-02	Harry Brodie	Cardiff	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	klarna	delivered	f	f	\N	\N	\N
10063	2025-08-28	2025-09-01	2025-09-02	Fatima Underhill	Glasgow	website	Beeswax Tapers	Candles	2	12.50	3.50	28.50	paypal	delivered	t	f	\N	\N	\N
10064	2025-09-01	2025-09-04	2025-09-06	Yusuf Thornton	Sheffield	instagram	Wool Throw	Textiles	6	79.00	0.00	474.00	card	delivered	f	t	4	\N	Great quality for the price
10065	2025-09-02	2025-09-04	2025-09-07	Theo Rahman	Bristol	etsy	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	card	delivered	f	f	5	\N	\N
10066	2025-09-02	2025-09-04	2025-09-06	Harry Brodie	Cardiff	instagram	House Blend Beans 1kg	Coffee	1	21.00	0.00	21.00	paypal	delivered	f	f	\N	FREESHIP	\N
10067	2025-09-03	2025-09-05	2025-09-08	Isla Quigley	Glasgow	website	Dotted Notebook	Stationery	1	9.90	3.50	11.92	card	delivered	t	f	3	SPRING15	\N
10068	2025-09-03	2025-09-04	2025-09-06	Leo Quigley	Bristol	website	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	f	\N	\N	\N
10069	2025-09-07	2025-09-07	2025-09-10	Callum Sinclair	Leeds	instagram	Soy Candle Cedar	Candles	1	16.00	3.50	19.50	bank transfer	delivered	f	f	5	\N	\N
10070	2025-09-07	2025-09-08	2025-09-10	Niamh Thornton	Glasgow	etsy	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10071	2025-09-09	2025-09-11	2025-09-13	George Marsden	Glasgow	website	Speckled Mug	Teaware	1	14.50	0.00	14.50	card	delivered	f	f	5	FREESHIP	\N
10072	2025-09-10	2025-09-11	2025-09-12	Leo Kaur	York	website	Pour-over Dripper	Coffee	6	19.50	0.00	117.00	card	delivered	f	f	5	\N	\N
10073	2025-09-10	2025-09-12	2025-09-14	Conor Quigley	Bath	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	f	f	\N	\N	\N
10074	2025-09-10	2025-09-11	2025-09-13	Zofia Kaur	Sheffield	instagram	Beeswax Tapers	Candles	6	12.50	0.00	63.75	card	delivered	f	f	4	SPRING15	\N
10075	2025-09-10	\N	\N	Isla Fenwick	Cardiff	website	Soy Candle Cedar	Candles	3	16.00	3.50	51.50	klarna	cancelled	f	t	\N	\N	\N
10076	2025-09-11	2025-09-13	2025-09-15	Freya Yates	York	etsy	Wool Throw	Textiles	2	79.00	0.00	158.00	card	delivered	f	t	5	\N	\N
10077	2025-09-12	2025-09-14	2025-09-18	Harry Underhill	Norwich	instagram	Hanging Planter	Plants	1	24.50	3.50	28.00	klarna	delivered	f	t	\N	\N	\N
10078	2025-09-13	2025-09-16	2025-09-18	Poppy Brodie	Glasgow	website	Dotted Notebook	Stationery	1	9.90	3.50	11.92	card	delivered	f	f	\N	SPRING15	\N
10079	2025-09-15	2025-09-16	2025-09-20	Leo Sinclair	Cardiff	website	Speckled Mug	Teaware	2	14.50	4.95	33.95	card	delivered	f	f	4	\N	\N
10080	2025-09-15	2025-09-15	2025-09-17	Freya Novak	Leeds	instagram	Waffle Towel	Textiles	6	17.00	0.00	102.00	paypal	delivered	f	t	5	\N	\N
10081	2025-09-16	2025-09-17	2025-09-22	Arjun Novak	Belfast	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	bank transfer	delivered	f	f	4	\N	\N
10082	2025-09-16	2025-09-19	2025-09-21	Marcus Yates	Bristol	website	Monstera Cutting	Plants	2	13.00	4.95	30.95	klarna	delivered	f	f	5	\N	Bought as a gift, she loved it
10083	2025-09-17	2025-09-18	2025-09-22	Edith Yates	Brighton	etsy	Pour-over Dripper	Coffee	3	19.50	0.00	52.65	paypal	delivered	t	t	5	WELCOME10	\N
10084	2025-09-18	2025-09-18	2025-09-19	George Bailey	Glasgow	instagram	House Blend Beans 1kg	Coffee	3	21.00	0.00	63.00	paypal	delivered	f	f	\N	\N	\N
10085	2025-09-18	2025-09-22	2025-09-24	Noah Hartley	Sheffield	website	Dotted Notebook	Stationery	6	9.90	0.00	59.40	card	delivered	f	f	\N	\N	\N
10086	2025-09-19	2025-09-20	2025-09-22	Amelia Lloyd	York	instagram	Recycled Gift Wrap	Stationery	1	5.50	3.50	9.00	card	delivered	f	t	\N	\N	\N
10087	2025-09-19	2025-09-20	2025-09-24	Leo Novak	Glasgow	instagram	Glass Tea Infuser	Teaware	1	11.90	3.50	14.21	card	delivered	f	f	\N	WELCOME10	\N
10088	2025-09-21	2025-09-23	2025-09-27	Arjun Fenwick	Belfast	website	Wool Throw	Textiles	1	79.00	0.00	79.00	card	delivered	f	f	4	\N	Beautiful colour, even nicer in person
10089	2025-09-22	2025-09-25	2025-09-26	Leo Sinclair	Cardiff	etsy	Matcha Whisk Set	Teaware	2	22.00	4.95	48.95	card	delivered	f	f	5	\N	\N
10090	2025-09-22	2025-09-28	2025-10-01	Niamh Thornton	Glasgow	website	Speckled Mug	Teaware	1	14.50	4.95	19.45	card	delivered	f	f	1	\N	\N
10091	2025-09-22	2025-10-01	2025-10-08	Callum Hartley	Brighton	website	Glass Tea Infuser	Teaware	1	11.90	3.50	14.21	paypal	delivered	f	t	\N	WELCOME10	\N
10092	2025-09-22	2025-09-23	2025-09-26	Rhian Marsden	York	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	22.40	card	delivered	t	f	\N	WELCOME10	\N
10093	2025-09-23	2025-09-23	2025-09-25	Conor Sinclair	Glasgow	instagram	Hanging Planter	Plants	1	24.50	0.00	24.50	card	delivered	f	f	\N	FREESHIP	\N
10094	2025-09-24	2025-09-26	2025-09-29	Priya Quigley	Brighton	phone	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	f	t	\N	\N	\N
10095	2025-09-24	2025-09-25	2025-09-28	Jakub Hartley	Leeds	etsy	Glass Tea Infuser	Teaware	2	11.90	3.50	27.30	paypal	delivered	f	f	5	\N	Beautiful colour, even nicer in person
10096	2025-09-25	2025-09-27	2025-10-01	Edith Yates	Brighton	website	Dotted Notebook	Stationery	3	9.90	4.95	34.65	paypal	returned	f	t	2	\N	Took forever, late for the birthday
10097	2025-09-25	2025-09-26	2025-09-30	Leo Vickers	Bristol	instagram	Waffle Towel	Textiles	1	17.00	4.95	21.95	card	delivered	f	t	5	\N	Lovely, arrived well wrapped
10098	2025-09-25	2025-09-26	2025-09-28	Dylan Marsden	Leeds	website	Hanging Planter	Plants	1	24.50	3.50	25.55	paypal	delivered	f	f	4	WELCOME10	Great quality for the price
10099	2025-09-26	2025-09-27	2025-09-29	Zofia Yates	Bristol	website	Speckled Mug	Teaware	2	14.50	3.50	32.50	card	delivered	f	t	\N	\N	\N
10100	2025-09-27	2025-09-29	2025-09-30	Leo Kaur	York	etsy	Hand Grinder	Coffee	1	54.00	0.00	54.00	paypal	delivered	f	f	\N	\N	\N
10101	2025-09-28	2025-09-29	2025-10-01	Noah Lloyd	Glasgow	etsy	Linen Tablecloth	Textiles	2	46.00	0.00	92.00	card	delivered	f	t	5	\N	Quick delivery and a handwritten note
10102	2025-09-28	2025-09-29	2025-10-01	Edith Walsh	Leeds	etsy	Soy Candle Cedar	Candles	3	16.00	4.95	52.95	card	delivered	f	t	\N	\N	\N
10103	2025-09-29	2025-09-30	2025-10-02	Yusuf Underhill	Sheffield	website	Soy Candle Cedar	Candles	1	16.00	3.50	19.50	card	delivered	f	t	\N	\N	\N
10104	2025-10-01	2025-10-04	2025-10-06	Fatima Yates	York	etsy	House Blend Beans 1kg	Coffee	1	21.00	4.95	25.95	card	delivered	f	t	2	\N	\N
10105	2025-10-02	2025-10-04	2025-10-05	Priya Lloyd	Bristol	website	Matcha Whisk Set	Teaware	1	22.00	0.00	22.00	klarna	delivered	f	f	5	FREESHIP	\N
10106	2025-10-02	2025-10-05	\N	Rory Brodie	Sheffield	etsy	Speckled Mug	Teaware	2	14.50	3.50	32.50	paypal	lost	f	f	\N	\N	\N
10107	2025-10-03	2025-10-06	2025-10-08	Oliver Doyle	Bristol	etsy	Waffle Towel	Textiles	1	17.00	0.00	17.00	card	delivered	t	t	4	FREESHIP	Second time I order this, never disappoints
10108	2025-10-03	2025-10-05	2025-10-07	Rhian Marsden	York	website	Hanging Planter	Plants	3	24.50	0.00	73.50	paypal	delivered	f	f	5	FREESHIP	Second time I order this, never disappoints
10109	2025-10-03	2025-10-03	2025-10-04	Callum Hartley	Brighton	website	Brass Pen	Stationery	2	32.00	0.00	57.60	card	delivered	f	t	5	WELCOME10	Second time I order this, never disappoints
10110	2025-10-04	2025-10-06	2025-10-11	Conor Fenwick	York	instagram	Soy Candle Cedar	Candles	1	16.00	4.95	20.95	card	delivered	t	f	4	\N	Second time I order this, never disappoints
10111	2025-10-06	\N	\N	Arjun Fenwick	Belfast	website	Waffle Towel	Textiles	1	17.00	3.50	20.50	klarna	cancelled	f	f	\N	\N	\N
10112	2025-10-06	2025-10-09	2025-10-14	Priya Quigley	Brighton	etsy	Stoneware Teapot	Teaware	1	38.00	4.95	42.95	card	delivered	t	t	4	\N	\N
10113	2025-10-09	2025-10-12	2025-10-15	Harry Kaur	Glasgow	etsy	Linen Tablecloth	Textiles	1	46.00	3.50	49.50	paypal	delivered	f	f	\N	\N	\N
10114	2025-10-09	2025-10-10	2025-10-15	Maeve Thornton	Brighton	etsy	Glass Tea Infuser	Teaware	2	11.90	3.50	27.30	card	delivered	f	t	5	\N	Lovely, arrived well wrapped
10115	2025-10-10	2025-10-14	2025-10-18	Yusuf Underhill	Sheffield	website	Dotted Notebook	Stationery	10	9.90	0.00	99.00	paypal	delivered	f	t	4	\N	\N
10116	2025-10-12	2025-10-13	2025-10-16	Rhian Pritchard	Leeds	website	Soy Candle Cedar	Candles	2	16.00	3.50	35.50	paypal	delivered	f	f	\N	\N	\N
10117	2025-10-12	2025-10-15	2025-10-17	Jakub Sinclair	Leeds	instagram	Waffle Towel	Textiles	1	17.00	4.95	21.95	paypal	delivered	f	t	1	\N	Chipped rim, had to send it back
10118	2025-10-14	2025-10-14	2025-10-17	Priya Yates	Bristol	website	Dotted Notebook	Stationery	1	9.90	4.95	14.85	paypal	delivered	f	t	\N	\N	\N
10119	2025-10-14	2025-10-15	2025-10-17	Yusuf Vickers	Norwich	etsy	Hanging Planter	Plants	4	24.50	0.00	98.00	klarna	delivered	t	f	5	\N	\N
10120	2025-10-15	2025-10-18	\N	Jakub Sinclair	Leeds	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	lost	f	t	\N	\N	\N
10121	2025-10-15	2025-10-18	2025-10-21	Conor Quigley	Bath	etsy	House Blend Beans 1kg	Coffee	1	21.00	4.95	25.95	klarna	delivered	f	f	5	\N	Great quality for the price
10122	2025-10-15	2025-10-18	2025-10-22	Yusuf Ashworth	Glasgow	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	f	f	4	\N	\N
10123	2025-10-16	2025-10-18	2025-10-20	Callum Yates	Leeds	etsy	Speckled Mug	Teaware	2	14.50	4.95	33.95	card	delivered	f	f	5	\N	\N
10124	2025-10-17	2025-10-18	2025-10-21	Yusuf Ashworth	Glasgow	website	Brass Pen	Stationery	3	32.00	0.00	96.00	paypal	delivered	f	f	\N	\N	\N
10125	2025-10-17	2025-10-19	2025-10-23	Rhian Okafor	Brighton	website	Linen Tablecloth	Textiles	3	46.00	0.00	138.00	card	delivered	f	t	\N	\N	\N
10126	2025-10-19	2025-10-20	2025-10-22	Elsie Novak	Glasgow	website	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	paypal	delivered	f	f	5	\N	Bought as a gift, she loved it
10127	2025-10-22	2025-10-24	2025-10-29	Zofia Bailey	Glasgow	website	Waffle Towel	Textiles	1	17.00	3.50	20.50	card	delivered	f	t	5	\N	\N
10128	2025-10-24	2025-10-26	2025-10-27	Hannah Lloyd	Sheffield	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	t	f	4	\N	\N
10129	2025-10-24	2025-10-26	2025-10-30	Zofia Yates	Bristol	website	Brass Pen	Stationery	1	32.00	4.95	36.95	card	delivered	t	t	\N	\N	\N
10130	2025-10-25	2025-10-26	2025-10-29	Edith Bailey	Belfast	etsy	Soy Candle Fig	Candles	1	16.00	3.50	19.50	paypal	delivered	t	f	4	\N	Second time I order this, never disappoints
10131	2025-10-25	2025-10-29	2025-10-30	Elsie Vickers	York	website	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	card	delivered	f	t	5	\N	\N
10132	2025-10-25	2025-10-27	2025-10-30	Harry Underhill	Norwich	website	Hand Grinder	Coffee	1	54.00	0.00	54.00	bank transfer	delivered	t	t	1	\N	Chipped rim, had to send it back
10133	2025-10-25	2025-10-28	2025-10-30	Freya Yates	York	etsy	Matcha Whisk Set	Teaware	1	22.00	4.95	24.75	card	delivered	t	t	4	WELCOME10	\N
10134	2025-10-26	2025-10-28	2025-11-02	Rory Sinclair	Belfast	website	Matcha Whisk Set	Teaware	2	22.00	3.50	47.50	card	delivered	f	f	5	\N	Lovely, arrived well wrapped
10135	2025-10-27	2025-10-30	2025-10-31	Conor Lloyd	Glasgow	instagram	House Blend Beans 1kg	Coffee	3	21.00	0.00	56.70	card	delivered	f	f	\N	WELCOME10	\N
10136	2025-10-27	2025-10-28	2025-10-31	Rhian Doyle	Norwich	website	Dotted Notebook	Stationery	10	9.90	0.00	99.00	card	delivered	f	f	3	\N	Fine, packaging a bit excessive
10137	2025-10-27	2025-10-31	2025-11-02	Niamh Thornton	Glasgow	instagram	Linen Tablecloth	Textiles	1	46.00	0.00	46.00	card	delivered	f	f	4	FREESHIP	\N
10138	2025-10-28	2025-10-29	2025-10-31	Arjun Fenwick	Belfast	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	paypal	delivered	f	f	\N	\N	\N
10139	2025-10-29	2025-10-31	2025-11-04	Jakub Walsh	Belfast	etsy	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	t	f	\N	\N	\N
10140	2025-10-30	2025-10-31	2025-11-05	Harry Thornton	Bristol	website	Beeswax Tapers	Candles	4	12.50	0.00	50.00	card	delivered	f	t	\N	\N	\N
10141	2025-10-30	2025-11-02	2025-11-07	Priya Lloyd	Bristol	etsy	Brass Pen	Stationery	4	32.00	0.00	128.00	card	delivered	f	f	5	\N	Lovely, arrived well wrapped
10142	2025-10-31	2025-11-01	2025-11-05	Leo Sinclair	Cardiff	website	House Blend Beans 1kg	Coffee	2	21.00	4.95	46.95	card	delivered	f	f	\N	\N	\N
10143	2025-10-31	2025-11-01	2025-11-05	Poppy Brodie	Glasgow	etsy	Hanging Planter	Plants	1	24.50	3.50	28.00	bank transfer	delivered	f	f	5	\N	Second time I order this, never disappoints
10144	2025-10-31	2025-11-03	2025-11-06	Elsie Novak	Glasgow	website	Dotted Notebook	Stationery	1	9.90	3.50	11.92	card	delivered	f	f	4	SPRING15	Second time I order this, never disappoints
10145	2025-10-31	2025-10-31	2025-11-03	Rory Brodie	Sheffield	website	Soy Candle Fig	Candles	1	16.00	3.50	19.50	paypal	delivered	t	f	\N	\N	\N
10146	2025-10-31	2025-11-04	2025-11-08	Freya Kaur	Glasgow	website	Waffle Towel	Textiles	1	17.00	3.50	20.50	paypal	delivered	f	f	\N	\N	\N
10147	2025-11-01	\N	\N	Hannah Brodie	Bath	instagram	Pour-over Dripper	Coffee	2	19.50	3.50	38.60	paypal	cancelled	f	f	\N	WELCOME10	\N
10148	2025-11-01	2025-11-03	2025-11-05	Edith Fenwick	York	website	Soy Candle Fig	Candles	2	16.00	3.50	35.50	paypal	delivered	t	f	\N	\N	\N
10149	2025-11-01	2025-11-02	2025-11-05	Niamh Walsh	Glasgow	instagram	Recycled Gift Wrap	Stationery	1	5.50	3.50	9.00	card	delivered	t	t	5	\N	\N
10150	2025-11-01	2025-11-03	2025-11-08	Freya Fenwick	Sheffield	website	Speckled Mug	Teaware	1	14.50	3.50	15.10	card	delivered	t	f	5	FRIENDS20	\N
10151	2025-11-02	2025-11-03	2025-11-05	Grace Thornton	Leeds	website	Speckled Mug	Teaware	3	14.50	4.95	48.45	card	delivered	t	f	\N	\N	\N
10152	2025-11-02	\N	\N	Leo Novak	Glasgow	instagram	Matcha Whisk Set	Teaware	2	22.00	3.50	47.50	card	cancelled	t	f	\N	\N	\N
10153	2025-11-02	2025-11-03	2025-11-04	Poppy Kaur	Leeds	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	bank transfer	delivered	f	t	\N	\N	\N
10154	2025-11-04	\N	\N	Conor Quigley	Bath	etsy	Dotted Notebook	Stationery	2	9.90	0.00	19.80	card	cancelled	t	f	\N	FREESHIP	\N
10155	2025-11-06	2025-11-07	2025-11-10	Callum Marsden	Leeds	website	Speckled Mug	Teaware	2	14.50	3.50	32.50	card	delivered	f	f	\N	\N	\N
10156	2025-11-07	2025-11-08	2025-11-10	Edith Yates	Brighton	instagram	Soy Candle Cedar	Candles	1	16.00	3.50	19.50	card	delivered	t	t	4	\N	Beautiful colour, even nicer in person
10157	2025-11-08	2025-11-10	2025-11-11	Dylan Hartley	Glasgow	etsy	Soy Candle Cedar	Candles	1	16.00	4.95	20.95	paypal	delivered	t	f	\N	\N	\N
10158	2025-11-08	2025-11-09	2025-11-12	Conor Fenwick	York	website	Beeswax Tapers	Candles	1	12.50	3.50	16.00	paypal	returned	f	f	\N	\N	\N
10159	2025-11-09	2025-11-10	2025-11-13	Isla Thornton	Leeds	website	Dotted Notebook	Stationery	3	9.90	4.95	34.65	card	delivered	f	f	5	\N	Second time I order this, never disappoints
10160	2025-11-10	2025-11-12	2025-11-15	Rory Brodie	Sheffield	website	Dotted Notebook	Stationery	6	9.90	0.00	59.40	card	delivered	t	f	4	\N	\N
10161	2025-11-10	2025-11-11	2025-11-14	Niamh Thornton	Glasgow	website	Pour-over Dripper	Coffee	1	19.50	4.95	24.45	card	delivered	t	f	\N	\N	\N
10162	2025-11-11	2025-11-13	2025-11-16	Elsie Vickers	York	website	Hanging Planter	Plants	1	24.50	4.95	29.45	paypal	delivered	f	t	5	\N	\N
10163	2025-11-11	2025-11-14	2025-11-17	Edith Vickers	York	website	Soy Candle Cedar	Candles	2	16.00	3.50	35.50	card	delivered	f	f	5	\N	\N
10164	2025-11-11	2025-11-13	2025-11-20	Elsie Thornton	Bristol	etsy	Speckled Mug	Teaware	3	14.50	3.50	47.00	card	delivered	f	t	2	\N	\N
10165	2025-11-12	2025-11-16	2025-11-18	Arjun Novak	Belfast	website	Waffle Towel	Textiles	2	17.00	3.50	37.50	card	delivered	f	f	4	\N	Great quality for the price
10166	2025-11-12	2025-11-13	2025-11-15	Dylan Marsden	Leeds	etsy	Speckled Mug	Teaware	1	14.50	3.50	18.00	paypal	returned	t	f	\N	\N	\N
10167	2025-11-12	2025-11-21	2025-11-23	Maeve Fenwick	Cardiff	instagram	Soy Candle Fig	Candles	1	16.00	3.50	19.50	paypal	delivered	f	f	3	\N	Nice but smaller than I expected
10168	2025-11-13	2025-11-15	2025-11-16	Freya Kaur	Glasgow	website	House Blend Beans 1kg	Coffee	1	21.00	4.95	21.75	klarna	delivered	f	f	\N	FRIENDS20	\N
10169	2025-11-13	2025-11-14	2025-11-16	Amelia Fenwick	Leeds	website	Hand Grinder	Coffee	1	54.00	0.00	54.00	klarna	delivered	f	t	\N	\N	\N
10170	2025-11-14	2025-11-14	2025-11-16	Callum Doyle	Norwich	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	card	delivered	t	t	\N	\N	\N
10171	2025-11-14	2025-11-15	2025-11-17	Rory Pritchard	Leeds	website	Soy Candle Fig	Candles	3	16.00	3.50	51.50	klarna	delivered	f	f	\N	\N	\N
10172	2025-11-15	2025-11-16	2025-11-18	Edith Pritchard	Bristol	website	House Blend Beans 1kg	Coffee	3	21.00	0.00	56.70	card	delivered	f	f	\N	WELCOME10	\N
10173	2025-11-15	2025-11-17	2025-11-19	Arjun Fenwick	Belfast	website	Matcha Whisk Set	Teaware	2	22.00	4.95	48.95	card	delivered	f	f	5	\N	\N
10174	2025-11-15	2025-11-16	2025-11-21	Callum Doyle	Norwich	etsy	House Blend Beans 1kg	Coffee	4	21.00	0.00	75.60	paypal	delivered	f	t	\N	WELCOME10	\N
10175	2025-11-16	2025-11-18	2025-11-21	Jakub Sinclair	Leeds	instagram	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	paypal	delivered	f	t	5	\N	Lovely, arrived well wrapped
10176	2025-11-16	2025-11-18	2025-11-20	Callum Marsden	Leeds	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	card	delivered	t	f	\N	\N	\N
10177	2025-11-16	\N	\N	Zofia Yates	Bristol	website	Brass Pen	Stationery	1	32.00	3.50	35.50	paypal	cancelled	t	t	\N	\N	\N
10178	2025-11-16	2025-11-20	2025-11-22	Harry Underhill	Norwich	phone	Glass Tea Infuser	Teaware	3	11.90	4.95	40.65	klarna	delivered	t	t	\N	\N	\N
10179	2025-11-17	\N	\N	Hannah Ashworth	Sheffield	website	Dotted Notebook	Stationery	1	9.90	4.95	14.85	card	cancelled	t	t	\N	\N	\N
10180	2025-11-18	2025-11-19	2025-11-24	Zofia Pritchard	Belfast	etsy	Recycled Gift Wrap	Stationery	1	5.50	3.50	9.00	card	delivered	f	f	5	\N	\N
10181	2025-11-19	2025-11-21	2025-11-25	Edith Walsh	Leeds	instagram	Matcha Whisk Set	Teaware	2	22.00	3.50	47.50	paypal	delivered	t	t	\N	\N	\N
10182	2025-11-19	2025-11-23	2025-11-26	Leo Vickers	Bristol	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	f	t	5	\N	Beautiful colour, even nicer in person
10183	2025-11-20	2025-11-22	2025-11-27	Marcus Thornton	Norwich	instagram	Speckled Mug	Teaware	2	14.50	4.95	33.95	bank transfer	delivered	t	t	5	\N	Bought as a gift, she loved it
10184	2025-11-20	2025-11-21	2025-11-23	Callum Doyle	Norwich	website	Waffle Towel	Textiles	1	17.00	3.50	20.50	card	delivered	f	t	5	\N	\N
10185	2025-11-20	2025-11-20	2025-11-22	Poppy Novak	Leeds	etsy	Recycled Gift Wrap	Stationery	1	5.50	4.95	10.45	card	delivered	f	f	\N	\N	\N
10186	2025-11-20	2025-11-21	2025-11-24	Amelia Thornton	Cardiff	website	Glass Tea Infuser	Teaware	2	11.90	4.95	28.75	card	delivered	f	t	3	\N	Nice but smaller than I expected
10187	2025-11-22	2025-11-22	2025-11-25	Conor Quigley	Bath	website	Brass Pen	Stationery	1	32.00	0.00	32.00	bank transfer	returned	t	f	\N	FREESHIP	\N
10188	2025-11-23	2025-11-24	2025-11-28	Zofia Kaur	Sheffield	etsy	Brass Pen	Stationery	1	32.00	4.95	36.95	card	returned	f	f	1	\N	\N
10189	2025-11-23	2025-11-26	2025-11-28	Priya Yates	Bristol	etsy	Stoneware Teapot	Teaware	2	38.00	0.00	68.40	card	delivered	t	t	\N	WELCOME10	\N
10190	2025-11-25	2025-11-27	2025-11-28	Callum Doyle	Norwich	website	Soy Candle Cedar	Candles	4	16.00	0.00	64.00	card	delivered	t	t	4	\N	\N
10191	2025-11-25	2025-11-26	2025-11-29	Conor Bailey	Bristol	website	Beeswax Tapers	Candles	3	12.50	4.95	36.83	card	delivered	t	f	\N	SPRING15	\N
10192	2025-11-25	2025-11-25	2025-11-30	Marcus Underhill	Glasgow	phone	Hanging Planter	Plants	1	24.50	4.95	29.45	card	delivered	f	f	1	\N	\N
10193	2025-11-26	2025-11-26	2025-11-29	Rhian Quigley	Cardiff	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	f	f	5	\N	\N
10194	2025-11-27	2025-11-28	2025-11-30	Leo Novak	Glasgow	website	Hanging Planter	Plants	1	24.50	3.50	28.00	card	delivered	t	f	5	\N	Lovely, arrived well wrapped
10195	2025-11-28	2025-12-04	2025-12-07	Conor Quigley	Bath	phone	Recycled Gift Wrap	Stationery	1	5.50	4.95	10.45	paypal	delivered	f	f	3	\N	Fine, packaging a bit excessive
10196	2025-11-29	2025-12-03	2025-12-06	Zofia Yates	Bristol	etsy	Linen Tablecloth	Textiles	1	46.00	3.50	44.90	klarna	delivered	t	t	\N	WELCOME10	\N
10197	2025-11-29	2025-11-30	2025-12-02	Harry Quigley	Brighton	website	Soy Candle Cedar	Candles	1	16.00	3.50	17.90	bank transfer	delivered	t	t	\N	WELCOME10	\N
10198	2025-12-01	2025-12-03	2025-12-05	Rhian Ashworth	Brighton	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	card	delivered	f	f	5	\N	\N
10199	2025-12-01	2025-12-02	2025-12-03	Maeve Pritchard	Brighton	website	Matcha Whisk Set	Teaware	1	22.00	4.95	26.95	card	delivered	f	f	\N	\N	\N
10200	2025-12-01	2025-12-01	2025-12-08	Rhian Pritchard	Leeds	instagram	Hanging Planter	Plants	1	24.50	3.50	28.00	paypal	delivered	f	f	5	\N	Great quality for the price
10201	2025-12-01	2025-12-02	2025-12-03	Jakub Yates	Sheffield	website	Soy Candle Cedar	Candles	2	16.00	4.95	36.95	card	delivered	f	f	5	\N	\N
10202	2025-12-02	2025-12-04	2025-12-06	Isla Ashworth	Glasgow	website	Soy Candle Cedar	Candles	1	16.00	3.50	19.50	card	delivered	t	t	\N	\N	\N
10203	2025-12-03	2025-12-04	2025-12-06	Poppy Marsden	York	website	Waffle Towel	Textiles	1	17.00	4.95	21.95	card	delivered	f	t	4	\N	Beautiful colour, even nicer in person
10204	2025-12-03	2025-12-06	2025-12-08	Freya Novak	Leeds	website	Glass Tea Infuser	Teaware	1	11.90	4.95	16.85	card	delivered	f	t	5	\N	Quick delivery and a handwritten note
10205	2025-12-04	\N	\N	Rhian Marsden	York	etsy	Hanging Planter	Plants	1	24.50	4.95	29.45	card	cancelled	t	f	\N	\N	\N
10206	2025-12-04	2025-12-05	2025-12-09	Freya Yates	York	website	Soy Candle Fig	Candles	2	16.00	4.95	36.95	paypal	delivered	t	t	5	\N	\N
10207	2025-12-05	2025-12-06	2025-12-09	George Bailey	Glasgow	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	card	delivered	t	f	4	\N	Second time I order this, never disappoints
10208	2025-12-06	2025-12-07	2025-12-09	Arjun Vickers	Leeds	website	Soy Candle Fig	Candles	1	16.00	3.50	19.50	card	delivered	f	t	5	\N	\N
10209	2025-12-06	\N	\N	Dylan Marsden	Leeds	instagram	Soy Candle Fig	Candles	4	16.00	0.00	64.00	card	cancelled	f	f	\N	\N	\N
10210	2025-12-06	2025-12-07	2025-12-12	Priya Bailey	Cardiff	etsy	House Blend Beans 1kg	Coffee	2	21.00	4.95	46.95	paypal	delivered	t	t	5	\N	Quick delivery and a handwritten note
10211	2025-12-07	2025-12-08	2025-12-13	Freya Yates	York	website	Brass Pen	Stationery	1	32.00	3.50	35.50	card	delivered	f	t	3	\N	Okay, colour differs from the photo
10212	2025-12-07	2025-12-07	2025-12-10	Callum Marsden	Leeds	website	House Blend Beans 1kg	Coffee	1	21.00	0.00	21.00	card	delivered	t	f	5	FREESHIP	\N
10213	2025-12-07	2025-12-08	2025-12-12	Rory Brodie	Sheffield	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	card	delivered	t	f	4	\N	\N
10214	2025-12-07	2025-12-10	2025-12-11	Hannah Thornton	Norwich	phone	Waffle Towel	Textiles	1	17.00	3.50	20.50	paypal	delivered	f	f	5	\N	Quick delivery and a handwritten note
10215	2025-12-07	2025-12-16	2025-12-18	Leo Fenwick	Sheffield	etsy	Stoneware Teapot	Teaware	3	38.00	0.00	102.60	card	delivered	t	t	2	WELCOME10	Smells of nothing at all
10216	2025-12-07	2025-12-10	2025-12-12	Rhian Novak	Leeds	instagram	Waffle Towel	Textiles	1	17.00	4.95	21.95	card	delivered	t	f	\N	\N	\N
10217	2025-12-07	2025-12-10	2025-12-12	Freya Novak	Leeds	phone	Stoneware Teapot	Teaware	1	38.00	4.95	42.95	card	delivered	f	t	\N	\N	\N
10218	2025-12-08	2025-12-09	2025-12-10	Marcus Underhill	Glasgow	website	Brass Pen	Stationery	1	32.00	3.50	35.50	card	delivered	t	f	4	\N	Quick delivery and a handwritten note
10219	2025-12-08	\N	\N	Conor Quigley	Bath	website	Linen Tablecloth	Textiles	1	46.00	3.50	49.50	card	cancelled	t	f	\N	\N	\N
10220	2025-12-08	2025-12-10	2025-12-12	Amelia Marsden	Bath	website	Soy Candle Cedar	Candles	2	16.00	4.95	36.95	card	delivered	f	t	\N	\N	\N
10221	2025-12-08	2025-12-09	2025-12-12	Edith Walsh	Leeds	etsy	Dotted Notebook	Stationery	1	9.90	0.00	9.90	paypal	delivered	f	t	5	FREESHIP	Lovely, arrived well wrapped
10222	2025-12-08	2025-12-12	2025-12-14	Samuel Rahman	Glasgow	website	Recycled Gift Wrap	Stationery	2	5.50	4.95	14.30	card	delivered	f	t	5	SPRING15	Bought as a gift, she loved it
10223	2025-12-10	2025-12-12	2025-12-14	George Marsden	Glasgow	website	Matcha Whisk Set	Teaware	10	22.00	0.00	220.00	card	delivered	f	f	5	\N	\N
10224	2025-12-10	2025-12-12	2025-12-15	Arjun Fenwick	Belfast	etsy	Matcha Whisk Set	Teaware	1	22.00	3.50	23.30	card	delivered	f	f	\N	WELCOME10	\N
10225	2025-12-11	2025-12-12	2025-12-14	Grace Fenwick	Bristol	website	Hand Grinder	Coffee	3	54.00	0.00	162.00	klarna	delivered	f	t	\N	FREESHIP	\N
10226	2025-12-13	2025-12-17	2025-12-19	Hannah Pritchard	Belfast	etsy	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	f	4	\N	\N
10227	2025-12-13	2025-12-17	2025-12-20	Amelia Rahman	Bristol	website	Stoneware Teapot	Teaware	1	38.00	4.95	39.15	paypal	delivered	f	f	4	WELCOME10	Beautiful colour, even nicer in person
10228	2025-12-14	2025-12-14	2025-12-16	Leo Sinclair	Cardiff	website	Soy Candle Fig	Candles	1	16.00	4.95	20.95	klarna	delivered	t	f	5	\N	Second time I order this, never disappoints
10229	2025-12-16	2025-12-18	2025-12-20	Edith Yates	Brighton	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	card	delivered	f	t	4	\N	\N
10230	2025-12-16	2025-12-19	2025-12-22	Amelia Thornton	Cardiff	etsy	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	t	\N	\N	\N
10231	2025-12-17	2025-12-19	2025-12-21	Rhian Hartley	Leeds	etsy	Soy Candle Fig	Candles	2	16.00	4.95	36.95	card	delivered	f	t	\N	\N	\N
10232	2025-12-17	2025-12-18	2025-12-21	Maeve Quigley	Sheffield	website	Brass Pen	Stationery	2	32.00	0.00	64.00	card	delivered	f	t	5	\N	Great quality for the price
10233	2025-12-18	2025-12-20	2025-12-21	Edith Walsh	Leeds	website	Soy Candle Fig	Candles	2	16.00	3.50	35.50	bank transfer	delivered	t	t	5	\N	Great quality for the price
10234	2025-12-18	2025-12-27	2025-12-30	Marcus Quigley	York	phone	Recycled Gift Wrap	Stationery	3	5.50	3.50	20.00	klarna	delivered	f	f	\N	\N	\N
10235	2025-12-18	\N	\N	Marcus Kaur	Bath	phone	Waffle Towel	Textiles	1	17.00	4.95	21.95	paypal	cancelled	t	t	\N	\N	\N
10236	2025-12-19	2025-12-21	2025-12-24	Dylan Doyle	Norwich	instagram	Hanging Planter	Plants	2	24.50	4.95	53.95	klarna	delivered	t	f	\N	\N	\N
10237	2025-12-20	2025-12-21	2025-12-22	Rory Lloyd	Brighton	website	Monstera Cutting	Plants	2	13.00	3.50	29.50	paypal	delivered	f	t	5	\N	Quick delivery and a handwritten note
10238	2025-12-20	2025-12-21	2025-12-22	Zofia Kaur	Sheffield	instagram	Beeswax Tapers	Candles	1	12.50	3.50	16.00	card	delivered	f	f	5	\N	Lovely, arrived well wrapped
10239	2025-12-20	2025-12-21	2025-12-23	Noah Lloyd	Glasgow	website	Glass Tea Infuser	Teaware	1	11.90	4.95	15.66	card	delivered	f	t	4	WELCOME10	\N
10240	2025-12-21	2025-12-23	2025-12-25	Samuel Ashworth	Bath	website	Matcha Whisk Set	Teaware	1	22.00	4.95	26.95	paypal	delivered	t	t	\N	\N	\N
10241	2025-12-22	2025-12-23	2025-12-28	Elsie Kaur	Leeds	etsy	Dotted Notebook	Stationery	1	9.90	4.95	14.85	card	delivered	t	f	\N	\N	\N
10242	2025-12-23	2025-12-25	2025-12-27	Harry Brodie	Cardiff	instagram	Hanging Planter	Plants	1	24.50	3.50	28.00	bank transfer	delivered	t	f	5	\N	\N
10243	2025-12-23	2025-12-24	2025-12-27	Rory Brodie	Sheffield	website	Waffle Towel	Textiles	10	17.00	0.00	170.00	paypal	delivered	f	f	\N	\N	\N
10244	2025-12-24	2025-12-25	2025-12-26	Rhian Pritchard	Leeds	etsy	Speckled Mug	Teaware	10	14.50	0.00	145.00	card	delivered	t	f	\N	\N	\N
10245	2025-12-24	2025-12-26	2025-12-28	Freya Underhill	Cardiff	website	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	paypal	delivered	f	t	5	\N	\N
10246	2025-12-25	2025-12-25	2025-12-27	Elsie Novak	Glasgow	instagram	Stoneware Teapot	Teaware	3	38.00	0.00	114.00	klarna	delivered	f	f	4	\N	\N
10247	2025-12-26	2025-12-27	2025-12-31	George Hartley	York	website	Dotted Notebook	Stationery	2	9.90	3.50	23.30	card	delivered	f	t	\N	\N	\N
10248	2025-12-26	2025-12-26	2025-12-28	Conor Fenwick	York	website	Brass Pen	Stationery	1	32.00	3.50	35.50	card	delivered	f	f	4	\N	Bought as a gift, she loved it
10249	2025-12-27	2025-12-28	2025-12-30	Edith Walsh	Leeds	instagram	Monstera Cutting	Plants	1	13.00	4.95	17.95	paypal	delivered	f	t	3	\N	Okay, colour differs from the photo
10250	2025-12-27	2025-12-27	2025-12-29	Yusuf Underhill	Sheffield	website	Stoneware Teapot	Teaware	1	38.00	4.95	42.95	paypal	delivered	f	t	4	\N	\N
10251	2025-12-27	2025-12-30	2026-01-02	Fatima Yates	York	instagram	Stoneware Teapot	Teaware	3	38.00	0.00	114.00	card	delivered	f	t	5	\N	Bought as a gift, she loved it
10252	2025-12-29	2025-12-30	2026-01-02	Maeve Pritchard	Brighton	etsy	Dotted Notebook	Stationery	2	9.90	4.95	24.75	bank transfer	delivered	f	f	\N	\N	\N
10253	2025-12-29	2025-12-30	2025-12-31	Fatima Okafor	York	website	Pour-over Dripper	Coffee	1	19.50	3.50	23.00	paypal	returned	t	f	1	\N	\N
10254	2025-12-30	2026-01-02	2026-01-14	Dylan Marsden	Leeds	phone	House Blend Beans 1kg	Coffee	2	21.00	0.00	42.00	paypal	delivered	t	f	\N	FREESHIP	\N
10255	2026-01-01	2026-01-02	2026-01-05	Poppy Brodie	Glasgow	website	Matcha Whisk Set	Teaware	2	22.00	4.95	48.95	paypal	delivered	f	f	2	\N	Chipped rim, had to send it back
10256	2026-01-02	2026-01-02	2026-01-05	Rhian Pritchard	Leeds	website	Beeswax Tapers	Candles	2	12.50	3.50	28.50	card	delivered	f	f	4	\N	Quick delivery and a handwritten note
10257	2026-01-03	2026-01-03	2026-01-06	Arjun Walsh	Brighton	phone	Soy Candle Cedar	Candles	3	16.00	4.95	52.95	paypal	delivered	f	t	5	\N	Bought as a gift, she loved it
10258	2026-01-05	2026-01-08	2026-01-12	Noah Thornton	Cardiff	website	Dotted Notebook	Stationery	2	9.90	4.95	24.75	paypal	delivered	f	f	5	\N	\N
10259	2026-01-07	\N	\N	Marcus Vickers	Glasgow	website	Hand Grinder	Coffee	1	54.00	3.50	46.70	card	cancelled	f	t	\N	FRIENDS20	\N
10260	2026-01-12	2026-01-14	2026-01-16	Leo Marsden	Norwich	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	f	f	\N	\N	\N
10261	2026-01-13	2026-01-13	2026-01-14	Samuel Rahman	Glasgow	website	Stoneware Teapot	Teaware	3	38.00	0.00	114.00	card	delivered	t	t	4	\N	Bought as a gift, she loved it
10262	2026-01-14	2026-01-15	2026-01-16	Leo Lloyd	Cardiff	phone	Stoneware Teapot	Teaware	1	38.00	4.95	42.95	klarna	delivered	f	f	4	\N	Quick delivery and a handwritten note
10263	2026-01-15	2026-01-18	2026-01-20	Zofia Yates	Bristol	website	Waffle Towel	Textiles	2	17.00	3.50	37.50	paypal	delivered	f	t	\N	\N	\N
10264	2026-01-15	2026-01-21	2026-01-23	Zofia Marsden	Glasgow	website	Beeswax Tapers	Candles	1	12.50	3.50	16.00	bank transfer	delivered	f	f	4	\N	Second time I order this, never disappoints
10265	2026-01-17	2026-01-18	2026-01-19	Yusuf Vickers	Norwich	instagram	Matcha Whisk Set	Teaware	1	22.00	3.50	25.50	card	delivered	f	f	5	\N	Lovely, arrived well wrapped
10266	2026-01-18	2026-01-19	2026-01-21	Freya Pritchard	Leeds	instagram	House Blend Beans 1kg	Coffee	1	21.00	0.00	21.00	card	delivered	t	f	\N	FREESHIP	\N
10267	2026-01-20	2026-01-23	2026-01-26	Marcus Pritchard	Bristol	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	paypal	delivered	f	f	3	\N	Nice but smaller than I expected
10268	2026-01-21	2026-01-23	2026-01-25	Edith Fenwick	York	instagram	Hand Grinder	Coffee	2	54.00	0.00	108.00	paypal	delivered	f	f	3	\N	\N
10269	2026-01-21	2026-01-23	2026-01-25	Theo Okafor	Brighton	instagram	Soy Candle Fig	Candles	2	16.00	4.95	36.95	card	delivered	f	t	3	\N	Nice but smaller than I expected
10270	2026-01-22	2026-01-24	2026-01-29	Ivy Pritchard	Glasgow	etsy	Brass Pen	Stationery	2	32.00	0.00	57.60	paypal	delivered	f	f	5	WELCOME10	\N
10271	2026-01-22	2026-01-22	2026-01-26	Arjun Walsh	Brighton	etsy	Speckled Mug	Teaware	2	14.50	3.50	29.60	paypal	delivered	f	t	\N	WELCOME10	\N
10272	2026-01-23	2026-01-24	2026-01-26	Grace Walsh	Leeds	website	Beeswax Tapers	Candles	6	12.50	0.00	75.00	card	delivered	f	f	5	\N	Quick delivery and a handwritten note
10273	2026-01-23	2026-01-27	2026-01-30	Rhian Doyle	Norwich	etsy	Linen Tablecloth	Textiles	6	46.00	0.00	276.00	paypal	delivered	f	f	\N	\N	\N
10274	2026-01-23	2026-01-23	2026-01-25	Dylan Thornton	York	website	Linen Tablecloth	Textiles	1	46.00	3.50	49.50	klarna	delivered	f	f	3	\N	\N
10275	2026-01-23	2026-01-25	2026-01-27	Isla Sinclair	Brighton	etsy	Waffle Towel	Textiles	1	17.00	3.50	20.50	card	delivered	f	t	3	\N	\N
10276	2026-01-26	2026-01-27	2026-01-30	Isla Thornton	Leeds	website	Dotted Notebook	Stationery	2	9.90	3.50	23.30	paypal	delivered	f	f	5	\N	Second time I order this, never disappoints
10277	2026-01-26	2026-01-28	2026-01-31	George Marsden	Glasgow	phone	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	f	5	\N	\N
10278	2026-01-26	2026-01-30	2026-01-31	Rory Bailey	Bristol	etsy	Matcha Whisk Set	Teaware	1	22.00	3.50	23.30	card	delivered	t	t	\N	WELCOME10	\N
10279	2026-01-27	2026-01-30	2026-02-03	Leo Kaur	York	instagram	Stoneware Teapot	Teaware	4	38.00	0.00	152.00	card	delivered	t	f	4	\N	\N
10280	2026-01-30	2026-02-01	2026-02-04	Oliver Walsh	Sheffield	etsy	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	paypal	delivered	f	f	\N	\N	\N
10281	2026-01-31	2026-02-01	2026-02-04	Hannah Novak	Belfast	website	Soy Candle Cedar	Candles	1	16.00	4.95	20.95	paypal	delivered	f	f	\N	\N	\N
10282	2026-02-01	2026-02-02	2026-02-04	Amelia Fenwick	Leeds	website	Dotted Notebook	Stationery	1	9.90	3.50	11.92	card	delivered	f	t	\N	SPRING15	\N
10283	2026-02-02	2026-02-02	2026-02-04	Poppy Novak	Leeds	website	Dotted Notebook	Stationery	2	9.90	3.50	23.30	card	delivered	t	f	5	\N	Bought as a gift, she loved it
10284	2026-02-03	2026-02-05	2026-02-07	Harry Quigley	Brighton	website	Glass Tea Infuser	Teaware	6	11.90	0.00	71.40	card	delivered	f	t	\N	\N	\N
10285	2026-02-03	\N	\N	Harry Kaur	Glasgow	website	Dotted Notebook	Stationery	1	9.90	3.50	13.40	card	cancelled	f	f	\N	\N	\N
10286	2026-02-04	2026-02-05	2026-02-17	George Bailey	Glasgow	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	f	f	1	\N	\N
10287	2026-02-04	2026-02-05	2026-02-08	Maeve Pritchard	Brighton	phone	Soy Candle Cedar	Candles	3	16.00	3.50	51.50	card	returned	f	f	\N	\N	\N
10288	2026-02-04	\N	\N	Ivy Yates	York	website	Matcha Whisk Set	Teaware	1	22.00	3.50	22.20	klarna	cancelled	f	t	\N	SPRING15	\N
10289	2026-02-05	2026-02-09	2026-02-14	Arjun Fenwick	Belfast	website	Soy Candle Fig	Candles	2	16.00	3.50	35.50	card	delivered	t	f	\N	\N	\N
10290	2026-02-06	2026-02-10	2026-02-13	Rhian Kaur	York	instagram	Beeswax Tapers	Candles	1	12.50	4.95	17.45	paypal	delivered	f	f	5	\N	\N
10291	2026-02-07	2026-02-10	2026-02-12	Maeve Quigley	Sheffield	website	Stoneware Teapot	Teaware	3	38.00	0.00	102.60	paypal	delivered	f	t	\N	WELCOME10	\N
10292	2026-02-07	\N	\N	Isla Quigley	Glasgow	website	Brass Pen	Stationery	2	32.00	0.00	64.00	card	cancelled	t	f	\N	\N	\N
10293	2026-02-09	2026-02-12	2026-02-14	Noah Bailey	Leeds	website	Soy Candle Fig	Candles	3	16.00	3.50	51.50	paypal	delivered	t	t	5	\N	Beautiful colour, even nicer in person
10294	2026-02-09	2026-02-10	2026-02-13	Grace Fenwick	Bristol	website	Glass Tea Infuser	Teaware	4	11.90	4.95	47.79	bank transfer	delivered	f	t	\N	WELCOME10	\N
10295	2026-02-10	2026-02-13	2026-02-15	Isla Doyle	Glasgow	instagram	House Blend Beans 1kg	Coffee	1	21.00	3.50	22.40	card	delivered	t	f	4	WELCOME10	Beautiful colour, even nicer in person
10296	2026-02-12	2026-02-14	2026-02-17	Zofia Kaur	Sheffield	website	Glass Tea Infuser	Teaware	4	11.90	3.50	51.10	card	delivered	f	f	5	\N	\N
10297	2026-02-12	2026-02-14	2026-02-17	Callum Hartley	Brighton	etsy	Beeswax Tapers	Candles	1	12.50	3.50	16.00	paypal	delivered	f	t	5	\N	\N
10298	2026-02-13	2026-02-13	2026-02-14	Yusuf Quigley	Leeds	instagram	Monstera Cutting	Plants	3	13.00	4.95	43.95	paypal	returned	f	f	\N	\N	\N
10299	2026-02-14	2026-02-15	2026-02-19	Yusuf Underhill	Sheffield	website	Speckled Mug	Teaware	1	14.50	3.50	18.00	card	delivered	f	t	\N	\N	\N
10300	2026-02-14	2026-02-14	2026-02-15	Fatima Brodie	Glasgow	instagram	Speckled Mug	Teaware	1	14.50	0.00	14.50	paypal	delivered	f	t	3	FREESHIP	Nice but smaller than I expected
10301	2026-02-16	2026-02-18	\N	Priya Yates	Bristol	website	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	lost	f	t	\N	\N	\N
10302	2026-02-18	\N	\N	Samuel Ashworth	Bath	instagram	Recycled Gift Wrap	Stationery	1	5.50	4.95	10.45	card	cancelled	f	t	\N	\N	\N
10303	2026-02-18	2026-02-20	2026-02-22	Leo Thornton	Bristol	website	Monstera Cutting	Plants	2	13.00	3.50	29.50	paypal	delivered	f	t	\N	\N	\N
10304	2026-02-18	2026-02-19	2026-02-20	Leo Rahman	Bristol	instagram	Waffle Towel	Textiles	1	17.00	3.50	20.50	card	delivered	f	f	\N	\N	\N
10305	2026-02-19	2026-02-22	2026-02-27	Hannah Pritchard	Belfast	phone	Beeswax Tapers	Candles	1	12.50	4.95	15.57	paypal	returned	f	f	1	SPRING15	\N
10306	2026-02-19	\N	\N	Yusuf Sinclair	Cardiff	instagram	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	card	cancelled	f	f	\N	\N	\N
10307	2026-02-20	2026-02-22	2026-02-23	Oliver Marsden	Cardiff	etsy	Hand Grinder	Coffee	2	54.00	0.00	108.00	card	delivered	t	f	4	\N	\N
10308	2026-02-21	2026-02-22	2026-02-23	Priya Yates	Bristol	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	f	t	\N	\N	\N
10309	2026-02-22	2026-02-23	2026-02-25	Arjun Fenwick	Belfast	website	Soy Candle Fig	Candles	6	16.00	0.00	81.60	klarna	delivered	f	f	\N	SPRING15	\N
10310	2026-02-22	\N	\N	Edith Vickers	York	instagram	Speckled Mug	Teaware	4	14.50	0.00	52.20	klarna	cancelled	f	f	\N	WELCOME10	\N
10311	2026-02-22	2026-02-22	2026-02-27	Dylan Doyle	Norwich	instagram	House Blend Beans 1kg	Coffee	1	21.00	3.50	22.40	card	delivered	f	f	4	WELCOME10	\N
10312	2026-02-23	2026-02-27	2026-03-02	Hannah Ashworth	Sheffield	instagram	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	card	delivered	t	t	2	\N	\N
10313	2026-02-23	2026-02-25	2026-02-27	Jakub Brodie	Bristol	website	Brass Pen	Stationery	1	32.00	3.50	35.50	card	delivered	f	t	3	\N	Fine, packaging a bit excessive
10314	2026-02-24	2026-02-26	2026-02-27	Jakub Quigley	Glasgow	website	Matcha Whisk Set	Teaware	1	22.00	3.50	25.50	bank transfer	delivered	t	t	1	\N	\N
10315	2026-02-24	2026-02-27	2026-03-03	Hannah Pritchard	Belfast	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	22.40	paypal	delivered	t	f	3	WELCOME10	\N
10316	2026-02-25	2026-02-26	2026-02-28	Leo Kaur	York	instagram	Recycled Gift Wrap	Stationery	1	5.50	3.50	9.00	bank transfer	delivered	f	f	\N	\N	\N
10317	2026-02-26	2026-02-27	2026-03-02	Conor Fenwick	York	website	Stoneware Teapot	Teaware	1	38.00	3.50	33.90	card	delivered	f	f	\N	FRIENDS20	\N
10318	2026-02-26	2026-03-01	2026-03-06	Leo Lloyd	Cardiff	instagram	Matcha Whisk Set	Teaware	3	22.00	0.00	59.40	paypal	returned	f	f	3	WELCOME10	Nice but smaller than I expected
10319	2026-02-27	2026-02-28	2026-03-01	Yusuf Sinclair	Cardiff	website	Dotted Notebook	Stationery	1	9.90	4.95	14.85	klarna	delivered	f	f	\N	\N	\N
10320	2026-02-27	2026-02-27	2026-03-02	Callum Hartley	Brighton	website	Soy Candle Fig	Candles	1	16.00	3.50	19.50	card	delivered	f	t	\N	\N	\N
10321	2026-02-28	2026-03-01	2026-03-03	Elsie Walsh	Leeds	phone	Brass Pen	Stationery	2	32.00	0.00	57.60	bank transfer	delivered	f	f	\N	WELCOME10	\N
10322	2026-03-01	2026-03-02	2026-03-04	Dylan Marsden	Leeds	instagram	Waffle Towel	Textiles	1	17.00	4.95	21.95	card	delivered	f	f	\N	\N	\N
10323	2026-03-02	2026-03-03	2026-03-10	Priya Lloyd	Bristol	phone	Recycled Gift Wrap	Stationery	2	5.50	4.95	14.85	card	delivered	t	f	5	WELCOME10	Quick delivery and a handwritten note
10324	2026-03-03	2026-03-05	2026-03-07	Rhian Okafor	Brighton	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	card	delivered	f	t	4	\N	Bought as a gift, she loved it
10325	2026-03-04	2026-03-07	2026-03-08	Fatima Yates	York	etsy	Hanging Planter	Plants	1	24.50	4.95	29.45	card	delivered	f	t	2	\N	\N
10326	2026-03-04	2026-03-04	2026-03-05	Poppy Kaur	Leeds	website	Waffle Towel	Textiles	1	17.00	3.50	20.50	card	delivered	f	t	4	\N	\N
10327	2026-03-04	\N	\N	Conor Thornton	Glasgow	website	House Blend Beans 1kg	Coffee	2	21.00	0.00	42.00	bank transfer	cancelled	f	t	\N	FREESHIP	\N
10328	2026-03-05	2026-03-06	2026-03-09	Grace Walsh	Leeds	etsy	Monstera Cutting	Plants	1	13.00	3.50	16.50	klarna	delivered	f	f	4	\N	\N
10329	2026-03-05	2026-03-06	2026-03-10	Dylan Hartley	Glasgow	website	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	klarna	delivered	f	f	3	\N	Nice but smaller than I expected
10330	2026-03-06	2026-03-09	2026-03-12	Dylan Okafor	Cardiff	etsy	Beeswax Tapers	Candles	1	12.50	3.50	16.00	card	delivered	t	f	4	\N	\N
10331	2026-03-06	2026-03-07	2026-03-10	Harry Quigley	Brighton	instagram	Stoneware Teapot	Teaware	1	38.00	3.50	41.50	card	delivered	t	t	4	\N	Beautiful colour, even nicer in person
10332	2026-03-07	2026-03-09	2026-03-11	Isla Quigley	Glasgow	website	Recycled Gift Wrap	Stationery	1	5.50	4.95	10.45	card	delivered	f	f	\N	\N	\N
10333	2026-03-07	2026-03-13	2026-03-25	Dylan Doyle	Norwich	etsy	Stoneware Teapot	Teaware	2	38.00	0.00	76.00	card	delivered	f	f	\N	\N	\N
10334	2026-03-07	2026-03-08	2026-03-09	Hannah Pritchard	Belfast	website	Matcha Whisk Set	Teaware	2	22.00	3.50	47.50	card	delivered	f	f	\N	\N	\N
10335	2026-03-08	2026-03-09	2026-03-11	Dylan Novak	Cardiff	instagram	Pour-over Dripper	Coffee	2	19.50	3.50	42.50	card	delivered	t	f	5	\N	\N
10336	2026-03-11	2026-03-15	2026-03-19	Harry Thornton	Bristol	website	Hanging Planter	Plants	3	24.50	0.00	73.50	card	delivered	f	t	\N	\N	\N
10337	2026-03-13	2026-03-13	2026-03-15	Dylan Marsden	Leeds	phone	Speckled Mug	Teaware	1	14.50	0.00	14.50	card	delivered	f	f	5	FREESHIP	Second time I order this, never disappoints
10338	2026-03-14	\N	\N	Zofia Kaur	Sheffield	instagram	Recycled Gift Wrap	Stationery	1	5.50	4.95	9.90	card	cancelled	f	f	\N	WELCOME10	\N
10339	2026-03-15	2026-03-15	2026-03-19	Hannah Brodie	Bath	website	Recycled Gift Wrap	Stationery	2	5.50	3.50	14.50	paypal	delivered	f	f	5	\N	Great quality for the price
10340	2026-03-16	2026-03-17	2026-03-19	Maeve Pritchard	Brighton	website	Hand Grinder	Coffee	3	54.00	0.00	145.80	klarna	delivered	f	f	5	WELCOME10	\N
10341	2026-03-16	2026-03-17	2026-03-19	Harry Underhill	Norwich	website	Monstera Cutting	Plants	1	13.00	3.50	16.50	card	delivered	f	t	\N	\N	\N
10342	2026-03-17	\N	\N	Jakub Rahman	Cardiff	instagram	Dotted Notebook	Stationery	1	9.90	3.50	13.40	card	cancelled	t	f	\N	\N	\N
10343	2026-03-18	2026-03-20	2026-03-22	Leo Quigley	Bristol	etsy	Beeswax Tapers	Candles	2	12.50	3.50	28.50	card	delivered	f	f	4	\N	\N
10344	2026-03-18	2026-03-19	2026-03-20	Samuel Ashworth	Bath	website	Dotted Notebook	Stationery	1	9.90	3.50	12.41	paypal	delivered	f	t	2	WELCOME10	\N
10345	2026-03-19	2026-03-21	2026-03-23	Niamh Walsh	Glasgow	instagram	Brass Pen	Stationery	1	32.00	3.50	32.30	klarna	delivered	f	t	\N	WELCOME10	\N
10346	2026-03-20	2026-03-21	2026-03-22	Isla Quigley	Glasgow	website	House Blend Beans 1kg	Coffee	1	21.00	3.50	24.50	paypal	delivered	f	f	\N	\N	\N
10347	2026-03-22	2026-03-24	2026-03-28	Rhian Hartley	Leeds	etsy	Hand Grinder	Coffee	1	54.00	0.00	54.00	card	delivered	f	t	\N	\N	\N
10348	2026-03-22	2026-03-24	2026-03-27	Yusuf Ashworth	Glasgow	website	Hanging Planter	Plants	1	24.50	3.50	28.00	card	delivered	f	f	\N	\N	\N
10349	2026-03-22	2026-03-22	2026-03-24	Dylan Yates	Leeds	etsy	Dotted Notebook	Stationery	2	9.90	4.95	24.75	klarna	delivered	t	f	\N	\N	\N
10350	2026-03-22	2026-03-23	2026-03-26	Samuel Rahman	Glasgow	etsy	Beeswax Tapers	Candles	1	12.50	3.50	16.00	paypal	delivered	t	t	\N	\N	\N
10351	2026-03-23	2026-03-24	2026-03-26	Rhian Quigley	Cardiff	website	Glass Tea Infuser	Teaware	1	11.90	3.50	15.40	klarna	returned	f	f	4	\N	Quick delivery and a handwritten note
10352	2026-03-24	2026-03-25	2026-03-29	Maeve Okafor	Leeds	website	Recycled Gift Wrap	Stationery	4	5.50	0.00	22.00	card	delivered	f	f	3	FREESHIP	\N
10353	2026-03-25	2026-03-26	2026-03-29	Zofia Kaur	Sheffield	instagram	Speckled Mug	Teaware	1	14.50	3.50	15.82	card	delivered	f	f	2	SPRING15	\N
10354	2026-03-25	2026-03-26	2026-03-28	Dylan Novak	Cardiff	etsy	Matcha Whisk Set	Teaware	1	22.00	0.00	22.00	bank transfer	delivered	f	f	3	FREESHIP	Okay, colour differs from the photo
10355	2026-03-25	2026-03-26	2026-03-28	Maeve Pritchard	Brighton	phone	Monstera Cutting	Plants	1	13.00	3.50	16.50	paypal	returned	f	f	\N	\N	\N
10356	2026-03-25	\N	\N	Jakub Sinclair	Leeds	website	Soy Candle Fig	Candles	1	16.00	3.50	19.50	klarna	cancelled	f	t	\N	\N	\N
10357	2026-03-26	2026-03-26	2026-03-29	Oliver Okafor	Bristol	etsy	Linen Tablecloth	Textiles	1	46.00	3.50	49.50	card	delivered	f	f	\N	\N	\N
10358	2026-03-27	2026-04-02	2026-04-05	Isla Thornton	Leeds	phone	Soy Candle Cedar	Candles	2	16.00	4.95	33.75	card	delivered	f	f	\N	WELCOME10	\N
10359	2026-03-27	\N	\N	Zofia Hartley	Bath	website	House Blend Beans 1kg	Coffee	1	21.00	4.95	25.95	bank transfer	cancelled	f	f	\N	\N	\N
10360	2026-03-29	2026-03-31	2026-04-02	Marcus Yates	Bristol	etsy	Dotted Notebook	Stationery	3	9.90	4.95	34.65	card	delivered	t	f	\N	\N	\N
10361	2026-03-31	2026-04-01	2026-04-06	George Bailey	Glasgow	website	Brass Pen	Stationery	1	32.00	4.95	36.95	klarna	returned	t	f	\N	\N	\N
10362	2026-04-03	2026-04-07	2026-04-10	Dylan Quigley	Cardiff	etsy	Matcha Whisk Set	Teaware	1	23.10	4.95	25.74	card	delivered	f	t	5	WELCOME10	\N
10363	2026-04-03	2026-04-06	2026-04-13	George Marsden	Glasgow	website	Matcha Whisk Set	Teaware	2	23.10	3.50	49.70	card	delivered	f	f	1	\N	Wrong item in the parcel
10364	2026-04-03	2026-04-03	2026-04-05	Zofia Marsden	Glasgow	instagram	Stoneware Teapot	Teaware	1	39.90	3.50	43.40	card	delivered	t	f	4	\N	Bought as a gift, she loved it
10365	2026-04-03	2026-04-03	2026-04-06	Marcus Novak	Sheffield	website	Soy Candle Fig	Candles	1	16.80	4.95	21.75	card	delivered	f	f	\N	\N	\N
10366	2026-04-03	2026-04-07	2026-04-09	Callum Doyle	Norwich	etsy	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	klarna	delivered	f	t	4	\N	Great quality for the price
10367	2026-04-04	2026-04-06	2026-04-08	Dylan Fenwick	Brighton	etsy	House Blend Beans 1kg	Coffee	3	22.05	0.00	59.54	card	delivered	f	f	4	WELCOME10	\N
10368	2026-04-04	2026-04-05	2026-04-08	Elsie Vickers	York	website	Brass Pen	Stationery	1	33.60	0.00	33.60	card	delivered	f	t	\N	FREESHIP	\N
10369	2026-04-05	2026-04-06	2026-04-07	Oliver Lloyd	Bristol	phone	Hand Grinder	Coffee	1	56.70	0.00	56.70	bank transfer	delivered	f	f	\N	\N	\N
10370	2026-04-08	\N	\N	Isla Doyle	Glasgow	website	Soy Candle Fig	Candles	3	16.80	0.00	50.40	card	cancelled	f	f	\N	\N	\N
10371	2026-04-08	2026-04-11	2026-04-15	Yusuf Ashworth	Glasgow	website	Recycled Gift Wrap	Stationery	1	5.78	3.50	9.28	paypal	delivered	f	f	5	\N	Bought as a gift, she loved it
10372	2026-04-08	\N	\N	Arjun Vickers	Leeds	instagram	Soy Candle Cedar	Candles	1	16.80	3.50	20.30	card	cancelled	f	t	\N	\N	\N
10373	2026-04-09	2026-04-11	2026-04-13	Conor Doyle	Leeds	etsy	Pour-over Dripper	Coffee	2	20.48	3.50	40.36	card	delivered	f	f	\N	WELCOME10	\N
10374	2026-04-11	2026-04-14	2026-04-17	Conor Doyle	Leeds	website	Soy Candle Fig	Candles	1	16.80	4.95	18.39	card	delivered	f	f	\N	FRIENDS20	\N
10375	2026-04-12	2026-04-13	2026-04-18	Maeve Pritchard	Brighton	website	Soy Candle Cedar	Candles	2	16.80	0.00	33.60	bank transfer	delivered	f	f	\N	FREESHIP	\N
10376	2026-04-12	2026-04-13	2026-04-16	Callum Thornton	Brighton	website	Matcha Whisk Set	Teaware	3	23.10	0.00	69.30	card	delivered	f	t	\N	\N	\N
10377	2026-04-14	2026-04-16	2026-04-19	Elsie Quigley	Brighton	instagram	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	card	delivered	f	f	\N	\N	\N
10378	2026-04-17	2026-04-19	2026-04-21	Yusuf Underhill	Sheffield	etsy	Speckled Mug	Teaware	1	15.23	4.95	18.66	bank transfer	delivered	f	t	5	WELCOME10	\N
10379	2026-04-19	2026-04-20	2026-04-22	Noah Lloyd	Glasgow	website	Recycled Gift Wrap	Stationery	4	5.78	4.95	23.45	card	delivered	f	t	4	FRIENDS20	Beautiful colour, even nicer in person
10380	2026-04-19	2026-04-20	2026-04-25	Maeve Pritchard	Brighton	website	Hand Grinder	Coffee	2	56.70	0.00	113.40	card	delivered	f	f	\N	\N	\N
10381	2026-04-19	2026-04-20	2026-05-02	Zofia Thornton	Sheffield	instagram	Recycled Gift Wrap	Stationery	2	5.78	4.95	16.51	card	delivered	f	f	3	\N	\N
10382	2026-04-21	2026-04-24	2026-04-28	Niamh Walsh	Glasgow	website	House Blend Beans 1kg	Coffee	1	22.05	4.95	27.00	card	delivered	f	t	\N	\N	\N
10383	2026-04-22	2026-04-28	2026-05-01	Callum Doyle	Norwich	website	Recycled Gift Wrap	Stationery	4	5.78	3.50	23.15	bank transfer	delivered	f	t	2	SPRING15	\N
10384	2026-04-22	2026-04-22	2026-04-24	Leo Doyle	Bath	etsy	House Blend Beans 1kg	Coffee	1	22.05	3.50	25.55	card	delivered	f	f	4	\N	Lovely, arrived well wrapped
10385	2026-04-25	2026-04-28	2026-04-29	Harry Rahman	Glasgow	instagram	Hanging Planter	Plants	1	25.73	3.50	26.66	paypal	returned	f	f	2	WELCOME10	Smells of nothing at all
10386	2026-04-26	2026-04-27	2026-04-29	Noah Hartley	Sheffield	website	Pour-over Dripper	Coffee	1	20.48	3.50	23.98	card	delivered	t	f	3	\N	Nice but smaller than I expected
10387	2026-04-27	2026-04-30	2026-05-01	Rory Brodie	Sheffield	phone	Soy Candle Fig	Candles	1	16.80	4.95	21.75	card	delivered	f	f	3	\N	Nice but smaller than I expected
10388	2026-04-28	2026-04-29	2026-05-03	Yusuf Quigley	Leeds	website	Waffle Towel	Textiles	1	17.85	3.50	21.35	card	delivered	f	f	\N	\N	\N
10389	2026-04-28	2026-04-30	2026-05-02	Fatima Bailey	Glasgow	website	Linen Tablecloth	Textiles	3	48.30	0.00	144.90	card	delivered	f	t	5	\N	\N
10390	2026-04-29	\N	\N	Conor Lloyd	Glasgow	website	Hanging Planter	Plants	2	25.73	0.00	51.46	paypal	cancelled	f	f	\N	\N	\N
10391	2026-04-29	2026-04-30	2026-05-01	Hannah Quigley	Leeds	phone	Pour-over Dripper	Coffee	1	20.48	3.50	23.98	card	delivered	f	f	\N	\N	\N
10392	2026-04-29	2026-05-01	2026-05-05	George Bailey	Glasgow	website	Matcha Whisk Set	Teaware	3	23.10	0.00	69.30	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10393	2026-04-30	2026-04-30	2026-05-02	Yusuf Ashworth	Glasgow	phone	Stoneware Teapot	Teaware	4	39.90	0.00	159.60	paypal	delivered	f	f	4	\N	\N
10394	2026-05-01	2026-05-07	2026-05-10	Theo Rahman	Bristol	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	f	4	\N	Bought as a gift, she loved it
10395	2026-05-03	2026-05-03	\N	Freya Rahman	Bristol	website	Monstera Cutting	Plants	2	13.65	3.50	30.80	paypal	lost	f	f	\N	\N	\N
10396	2026-05-03	2026-05-06	2026-05-07	Freya Rahman	Bristol	website	Beeswax Tapers	Candles	3	13.12	4.95	40.37	card	delivered	f	f	2	WELCOME10	\N
10397	2026-05-04	2026-05-04	2026-05-07	Arjun Bailey	Sheffield	instagram	Stoneware Teapot	Teaware	1	39.90	0.00	39.90	paypal	returned	f	t	1	FREESHIP	\N
10398	2026-05-04	\N	\N	Samuel Hartley	Bristol	website	Matcha Whisk Set	Teaware	2	23.10	4.95	51.15	paypal	cancelled	f	f	\N	\N	\N
10399	2026-05-06	2026-05-06	2026-05-09	Callum Yates	Leeds	etsy	Hanging Planter	Plants	2	25.73	0.00	51.46	paypal	delivered	f	f	5	\N	\N
10400	2026-05-07	2026-05-09	2026-05-11	Yusuf Sinclair	Cardiff	phone	Recycled Gift Wrap	Stationery	1	5.78	3.50	8.41	paypal	delivered	f	f	5	SPRING15	\N
10401	2026-05-08	2026-05-10	2026-05-13	Poppy Bailey	Sheffield	website	Speckled Mug	Teaware	3	15.23	3.50	49.19	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10402	2026-05-09	2026-05-11	2026-05-13	Zofia Marsden	Glasgow	phone	Monstera Cutting	Plants	1	13.65	0.00	13.65	card	delivered	f	f	4	FREESHIP	\N
10403	2026-05-09	2026-05-13	2026-05-16	Grace Doyle	Bristol	etsy	Dotted Notebook	Stationery	2	10.40	3.50	24.30	card	delivered	f	t	4	\N	\N
10404	2026-05-10	2026-05-14	2026-05-17	Arjun Doyle	Leeds	etsy	Dotted Notebook	Stationery	1	10.40	4.95	15.35	card	delivered	f	f	\N	\N	\N
10405	2026-05-11	2026-05-14	2026-05-17	Yusuf Quigley	Leeds	website	Matcha Whisk Set	Teaware	3	23.10	0.00	69.30	card	delivered	f	f	5	\N	Quick delivery and a handwritten note
10406	2026-05-14	2026-05-15	2026-05-19	Arjun Fenwick	Belfast	website	Beeswax Tapers	Candles	2	13.12	3.50	29.74	paypal	delivered	f	f	\N	\N	\N
10407	2026-05-15	2026-05-17	2026-05-18	Callum Doyle	Norwich	phone	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	bank transfer	returned	f	t	1	\N	\N
10408	2026-05-15	2026-05-15	2026-05-19	Callum Sinclair	Leeds	etsy	Speckled Mug	Teaware	2	15.23	4.95	29.32	card	delivered	f	f	4	FRIENDS20	Second time I order this, never disappoints
10409	2026-05-15	2026-05-15	2026-05-17	Freya Underhill	Cardiff	instagram	Soy Candle Fig	Candles	3	16.80	0.00	50.40	bank transfer	delivered	f	t	4	\N	Beautiful colour, even nicer in person
10410	2026-05-18	2026-05-20	2026-05-23	Ivy Pritchard	Glasgow	instagram	Recycled Gift Wrap	Stationery	1	5.78	4.95	10.73	card	delivered	f	f	5	\N	\N
10411	2026-05-20	\N	\N	Maeve Okafor	Leeds	website	Dotted Notebook	Stationery	1	10.40	3.50	12.86	card	cancelled	f	f	\N	WELCOME10	\N
10412	2026-05-21	2026-05-22	2026-05-26	Leo Sinclair	Cardiff	etsy	Hand Grinder	Coffee	4	56.70	0.00	226.80	paypal	delivered	f	f	3	\N	\N
10413	2026-05-22	2026-05-24	2026-05-29	Poppy Brodie	Glasgow	instagram	Speckled Mug	Teaware	1	15.23	3.50	18.73	klarna	delivered	f	f	\N	\N	\N
10414	2026-05-23	2026-05-24	2026-05-27	Arjun Novak	Belfast	instagram	Glass Tea Infuser	Teaware	1	12.50	4.95	17.45	card	delivered	f	f	4	\N	Second time I order this, never disappoints
10415	2026-05-25	2026-05-26	2026-05-29	Callum Doyle	Norwich	website	Linen Tablecloth	Textiles	3	48.30	0.00	144.90	card	delivered	f	t	2	\N	\N
10416	2026-05-25	2026-05-26	2026-06-07	Amelia Hartley	Brighton	instagram	Stoneware Teapot	Teaware	1	39.90	3.50	39.41	card	delivered	f	f	1	WELCOME10	Chipped rim, had to send it back
10417	2026-05-25	2026-05-27	2026-05-30	Samuel Rahman	Glasgow	website	Soy Candle Cedar	Candles	1	16.80	4.95	21.75	card	delivered	f	t	\N	\N	\N
10418	2026-05-25	2026-05-28	2026-05-30	George Hartley	York	website	Stoneware Teapot	Teaware	3	39.90	0.00	119.70	paypal	delivered	t	t	4	\N	Second time I order this, never disappoints
10419	2026-05-26	2026-05-30	2026-06-01	Zofia Yates	Bristol	etsy	Linen Tablecloth	Textiles	2	48.30	0.00	96.60	klarna	delivered	f	t	\N	\N	\N
10420	2026-05-26	2026-05-28	2026-05-31	Oliver Okafor	Bristol	instagram	Speckled Mug	Teaware	1	15.23	3.50	18.73	klarna	returned	f	f	\N	\N	\N
10421	2026-05-27	2026-05-29	2026-05-31	Elsie Yates	Leeds	instagram	Speckled Mug	Teaware	1	15.23	0.00	15.23	bank transfer	delivered	f	t	\N	FREESHIP	\N
10422	2026-05-27	2026-05-27	2026-05-28	Noah Thornton	Cardiff	website	Linen Tablecloth	Textiles	3	48.30	0.00	144.90	card	delivered	f	f	\N	\N	\N
10423	2026-05-27	2026-05-27	2026-05-29	Niamh Bailey	Bristol	instagram	Recycled Gift Wrap	Stationery	2	5.78	3.50	15.06	paypal	delivered	f	f	5	\N	\N
10424	2026-05-28	2026-05-28	2026-06-02	Freya Novak	Leeds	website	Recycled Gift Wrap	Stationery	1	5.78	0.00	5.78	card	delivered	f	t	\N	FREESHIP	\N
10425	2026-05-28	2026-05-30	2026-06-01	Yusuf Quigley	Leeds	etsy	House Blend Beans 1kg	Coffee	2	22.05	4.95	49.05	paypal	delivered	t	f	5	\N	Second time I order this, never disappoints
10426	2026-05-30	2026-05-30	2026-06-04	Yusuf Quigley	Leeds	phone	Hand Grinder	Coffee	1	56.70	0.00	56.70	paypal	delivered	f	f	\N	\N	\N
10427	2026-05-30	2026-05-30	2026-06-01	Samuel Vickers	Leeds	instagram	Matcha Whisk Set	Teaware	1	23.10	0.00	23.10	card	delivered	f	t	5	FREESHIP	\N
10428	2026-05-31	2026-05-31	2026-06-02	Elsie Yates	Leeds	website	Waffle Towel	Textiles	2	17.85	3.50	35.63	card	delivered	f	t	5	WELCOME10	\N
10429	2026-06-03	2026-06-04	2026-06-16	Yusuf Sinclair	Cardiff	website	Soy Candle Fig	Candles	4	16.80	0.00	67.20	paypal	returned	f	f	\N	\N	\N
10430	2026-06-04	2026-06-05	2026-06-07	Rory Lloyd	Brighton	website	House Blend Beans 1kg	Coffee	1	22.05	3.50	25.55	card	delivered	f	t	\N	\N	\N
10431	2026-06-05	2026-06-05	2026-06-09	George Hartley	York	website	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	card	delivered	f	t	5	\N	Lovely, arrived well wrapped
10432	2026-06-05	2026-06-11	2026-06-12	Isla Rahman	Glasgow	website	Pour-over Dripper	Coffee	1	20.48	4.95	25.43	paypal	delivered	t	f	3	\N	\N
10433	2026-06-06	2026-06-06	\N	Marcus Pritchard	Bristol	website	Soy Candle Fig	Candles	3	16.80	0.00	50.40	paypal	lost	f	f	\N	FREESHIP	\N
10434	2026-06-06	\N	\N	Callum Marsden	Leeds	website	Speckled Mug	Teaware	1	15.23	4.95	20.18	card	cancelled	f	f	\N	\N	\N
10435	2026-06-07	2026-06-09	2026-06-11	Jakub Sinclair	Leeds	etsy	Speckled Mug	Teaware	2	15.23	4.95	35.41	paypal	delivered	f	t	\N	\N	\N
10436	2026-06-07	2026-06-08	2026-06-10	Hannah Bailey	Leeds	instagram	House Blend Beans 1kg	Coffee	3	22.05	0.00	66.15	card	delivered	f	t	\N	\N	\N
10437	2026-06-07	2026-06-07	2026-06-11	Arjun Walsh	Brighton	instagram	Soy Candle Cedar	Candles	1	16.80	3.50	20.30	card	delivered	f	t	\N	\N	\N
10438	2026-06-07	2026-06-07	2026-06-09	Maeve Quigley	Sheffield	website	Beeswax Tapers	Candles	1	13.12	3.50	16.62	bank transfer	delivered	f	t	\N	\N	\N
10439	2026-06-07	\N	\N	Zofia Kaur	Sheffield	website	Speckled Mug	Teaware	1	15.23	4.95	20.18	paypal	cancelled	t	f	\N	\N	\N
10440	2026-06-07	2026-06-10	2026-06-12	Marcus Pritchard	Bristol	website	Soy Candle Fig	Candles	1	16.80	3.50	20.30	klarna	delivered	f	f	1	\N	Chipped rim, had to send it back
10441	2026-06-09	2026-06-10	2026-06-13	Marcus Underhill	Glasgow	website	House Blend Beans 1kg	Coffee	1	22.05	3.50	25.55	card	delivered	f	f	\N	\N	\N
10442	2026-06-10	2026-06-11	2026-06-13	Poppy Brodie	Glasgow	etsy	Hand Grinder	Coffee	1	56.70	0.00	56.70	card	delivered	f	f	\N	FREESHIP	\N
10443	2026-06-11	2026-06-12	2026-06-16	Maeve Okafor	Leeds	etsy	Hanging Planter	Plants	2	25.73	0.00	51.46	card	returned	f	f	1	\N	\N
10444	2026-06-12	2026-06-14	2026-06-19	Rory Pritchard	Leeds	website	Brass Pen	Stationery	1	33.60	3.50	33.74	card	delivered	f	f	\N	WELCOME10	\N
10445	2026-06-13	2026-06-14	2026-06-16	Leo Marsden	Norwich	website	Soy Candle Fig	Candles	1	16.80	4.95	21.75	card	returned	f	f	1	\N	Chipped rim, had to send it back
10446	2026-06-13	2026-06-15	2026-06-17	Fatima Underhill	Glasgow	instagram	Stoneware Teapot	Teaware	1	39.90	4.95	44.85	card	delivered	f	f	\N	\N	\N
10447	2026-06-14	2026-06-15	2026-06-18	Ivy Yates	York	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	t	3	\N	Fine, packaging a bit excessive
10448	2026-06-15	2026-06-16	2026-06-19	Ivy Pritchard	Glasgow	instagram	Glass Tea Infuser	Teaware	2	12.50	4.95	29.95	card	delivered	f	f	5	\N	\N
10449	2026-06-20	2026-06-20	2026-06-23	Niamh Thornton	Glasgow	etsy	Recycled Gift Wrap	Stationery	2	5.78	3.50	13.90	klarna	delivered	f	f	5	WELCOME10	Second time I order this, never disappoints
10450	2026-06-21	\N	\N	Conor Doyle	Leeds	instagram	Speckled Mug	Teaware	1	15.23	3.50	18.73	paypal	cancelled	f	f	\N	\N	\N
10451	2026-06-22	2026-06-23	2026-06-26	Callum Ashworth	Leeds	instagram	Hanging Planter	Plants	2	25.73	0.00	51.46	card	delivered	f	f	\N	\N	\N
10452	2026-06-22	2026-06-23	2026-06-25	Harry Quigley	Brighton	website	Dotted Notebook	Stationery	2	10.40	4.95	25.75	paypal	returned	f	t	2	\N	Chipped rim, had to send it back
10453	2026-06-22	\N	\N	Hannah Vickers	Cardiff	website	Hanging Planter	Plants	1	25.73	3.50	24.08	card	cancelled	t	f	\N	FRIENDS20	\N
10454	2026-06-23	2026-06-23	2026-06-25	Leo Lloyd	Cardiff	website	Monstera Cutting	Plants	1	13.65	3.50	17.15	bank transfer	delivered	f	f	\N	\N	\N
10455	2026-06-23	2026-06-23	2026-06-25	Jakub Quigley	Glasgow	phone	Glass Tea Infuser	Teaware	1	12.50	3.50	16.00	card	delivered	f	t	3	\N	Fine, packaging a bit excessive
10456	2026-06-24	2026-06-24	2026-06-27	Zofia Yates	Bristol	instagram	Recycled Gift Wrap	Stationery	1	5.78	3.50	9.28	card	delivered	f	t	3	\N	\N
10457	2026-06-28	2026-06-30	2026-07-03	Rhian Ashworth	Brighton	etsy	Soy Candle Fig	Candles	1	16.80	3.50	20.30	card	delivered	f	f	5	\N	Great quality for the price
10458	2026-06-29	2026-06-30	2026-07-02	Grace Yates	Bath	website	Waffle Towel	Textiles	1	17.85	3.50	21.35	card	delivered	f	f	5	\N	\N
10459	2026-06-30	2026-07-01	2026-07-04	Callum Marsden	Leeds	website	Waffle Towel	Textiles	10	17.85	0.00	178.50	paypal	delivered	f	f	4	\N	\N
10460	2026-06-30	2026-07-02	2026-07-04	Dylan Fenwick	Brighton	instagram	Dotted Notebook	Stationery	1	10.40	4.95	15.35	paypal	delivered	f	f	5	\N	Lovely, arrived well wrapped
10461	2026-07-01	2026-07-07	2026-07-10	Poppy Thornton	Glasgow	website	Speckled Mug	Teaware	2	15.23	4.95	35.41	card	delivered	f	f	3	\N	Fine, packaging a bit excessive
10462	2026-07-02	\N	\N	Poppy Kaur	Leeds	website	Waffle Towel	Textiles	1	17.85	3.50	21.35	paypal	cancelled	f	t	\N	\N	\N
10463	2026-07-06	\N	\N	Edith Bailey	Belfast	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	paypal	cancelled	t	f	\N	\N	\N
10464	2026-07-08	2026-07-08	2026-07-10	Noah Vickers	Cardiff	phone	Waffle Towel	Textiles	2	17.85	3.50	39.20	card	delivered	f	t	\N	\N	\N
10465	2026-07-12	2026-07-16	2026-07-21	Dylan Novak	Cardiff	etsy	Brass Pen	Stationery	6	33.60	0.00	161.28	klarna	delivered	t	f	\N	FRIENDS20	\N
10466	2026-07-14	2026-07-17	2026-07-18	Arjun Bailey	Sheffield	instagram	Linen Tablecloth	Textiles	1	48.30	3.50	51.80	klarna	delivered	f	t	4	\N	Great quality for the price
10467	2026-07-14	2026-07-14	2026-07-16	Dylan Hartley	Glasgow	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	f	\N	\N	\N
10468	2026-07-16	2026-07-19	2026-07-22	George Hartley	York	website	Hand Grinder	Coffee	2	56.70	0.00	96.39	card	delivered	f	t	\N	SPRING15	\N
10469	2026-07-16	\N	\N	Jakub Hartley	Leeds	phone	Soy Candle Fig	Candles	1	16.80	4.95	21.75	card	cancelled	f	f	\N	\N	\N
10470	2026-07-17	2026-07-19	2026-07-22	Harry Fenwick	Glasgow	etsy	Glass Tea Infuser	Teaware	1	12.50	3.50	16.00	card	delivered	f	f	5	\N	\N
10471	2026-07-17	2026-07-18	2026-07-20	Elsie Fenwick	Leeds	etsy	Glass Tea Infuser	Teaware	1	12.50	3.50	14.75	card	delivered	f	t	4	WELCOME10	\N
10472	2026-07-18	2026-07-20	2026-07-22	Noah Hartley	Sheffield	etsy	Beeswax Tapers	Candles	2	13.12	3.50	27.12	card	delivered	f	f	5	WELCOME10	Quick delivery and a handwritten note
10473	2026-07-19	2026-07-20	2026-07-23	Oliver Okafor	Bristol	website	Glass Tea Infuser	Teaware	1	12.50	4.95	14.95	card	delivered	f	f	\N	FRIENDS20	\N
10474	2026-07-20	2026-07-23	2026-07-25	Arjun Bailey	Sheffield	instagram	Soy Candle Cedar	Candles	1	16.80	4.95	21.75	klarna	delivered	f	t	4	\N	Beautiful colour, even nicer in person
10475	2026-07-20	2026-07-20	2026-07-22	Arjun Bailey	Sheffield	instagram	Brass Pen	Stationery	1	33.60	3.50	37.10	paypal	delivered	f	t	\N	\N	\N
10476	2026-07-22	2026-07-23	2026-07-28	Dylan Thornton	York	instagram	Dotted Notebook	Stationery	1	10.40	3.50	13.90	card	delivered	f	f	\N	\N	\N
10477	2026-07-23	2026-07-29	2026-07-31	Leo Rahman	Bristol	website	Pour-over Dripper	Coffee	1	20.48	3.50	23.98	bank transfer	delivered	f	f	4	\N	\N
10478	2026-07-23	2026-07-25	2026-07-27	Amelia Marsden	Bath	website	Soy Candle Fig	Candles	1	16.80	4.95	21.75	card	delivered	f	t	4	\N	\N
10479	2026-07-25	2026-07-27	2026-07-29	Fatima Underhill	Glasgow	phone	Speckled Mug	Teaware	1	15.23	4.95	20.18	card	delivered	t	f	\N	\N	\N
10480	2026-07-25	2026-07-27	2026-08-03	Dylan Marsden	Leeds	website	Soy Candle Fig	Candles	2	16.80	4.95	38.55	card	delivered	f	f	\N	\N	\N
10481	2026-07-25	2026-07-27	2026-07-29	Zofia Fenwick	Brighton	instagram	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	paypal	returned	f	t	\N	\N	\N
10482	2026-07-26	2026-07-27	2026-07-29	Zofia Thornton	Sheffield	etsy	Soy Candle Cedar	Candles	1	16.80	3.50	20.30	klarna	delivered	f	f	\N	\N	\N
10483	2026-07-27	2026-07-28	2026-07-29	Samuel Hartley	Bristol	instagram	Matcha Whisk Set	Teaware	1	23.10	0.00	23.10	card	delivered	f	f	\N	FREESHIP	\N
10484	2026-07-27	2026-07-29	2026-07-31	Dylan Yates	Leeds	instagram	Hanging Planter	Plants	2	25.73	0.00	51.46	card	delivered	t	f	\N	\N	\N
10485	2026-07-28	2026-07-29	2026-07-31	Noah Hartley	Sheffield	website	Glass Tea Infuser	Teaware	3	12.50	3.50	41.00	paypal	delivered	f	f	1	\N	Arrived broken, corner of the box crushed
10486	2026-07-29	2026-07-30	2026-08-01	Elsie Novak	Glasgow	instagram	Hanging Planter	Plants	1	25.73	3.50	29.23	card	delivered	f	f	5	\N	Quick delivery and a handwritten note
10487	2026-08-01	2026-08-03	2026-08-06	Jakub Okafor	Belfast	website	Pour-over Dripper	Coffee	2	20.48	4.95	45.91	klarna	returned	f	t	4	\N	\N
10488	2026-08-01	2026-08-02	2026-08-07	Marcus Quigley	York	instagram	Dotted Notebook	Stationery	1	10.40	3.50	13.90	bank transfer	delivered	f	f	\N	\N	\N
10489	2026-08-02	2026-08-05	2026-08-06	Isla Fenwick	Cardiff	website	Monstera Cutting	Plants	3	13.65	3.50	44.45	paypal	delivered	f	t	\N	\N	\N
10490	2026-08-03	2026-08-04	2026-08-11	Jakub Yates	Sheffield	instagram	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10491	2026-08-05	2026-08-11	2026-08-13	Oliver Pritchard	Glasgow	etsy	Beeswax Tapers	Candles	4	13.12	0.00	52.48	klarna	delivered	f	f	\N	FREESHIP	\N
10492	2026-08-05	2026-08-07	2026-08-09	Elsie Thornton	Bristol	website	Glass Tea Infuser	Teaware	1	12.50	4.95	17.45	card	delivered	f	t	3	\N	Nice but smaller than I expected
10493	2026-08-06	2026-08-09	2026-08-10	Poppy Bailey	Sheffield	website	Hand Grinder	Coffee	1	56.70	0.00	56.70	paypal	delivered	f	f	5	\N	Quick delivery and a handwritten note
10494	2026-08-07	2026-08-11	2026-08-12	Leo Brodie	Bristol	website	Linen Tablecloth	Textiles	1	48.30	3.50	51.80	card	delivered	f	f	4	\N	Lovely, arrived well wrapped
10495	2026-08-08	2026-08-09	2026-08-11	Amelia Rahman	Bristol	etsy	Stoneware Teapot	Teaware	1	39.90	4.95	44.85	card	delivered	f	f	5	\N	Bought as a gift, she loved it
10496	2026-08-08	2026-08-10	2026-08-17	Freya Rahman	Bristol	website	Speckled Mug	Teaware	1	15.23	4.95	20.18	card	delivered	f	f	\N	\N	\N
10497	2026-08-09	2026-08-10	2026-08-12	Yusuf Pritchard	Bath	website	Pour-over Dripper	Coffee	1	20.48	3.50	23.98	card	delivered	f	f	\N	\N	\N
10498	2026-08-09	2026-08-10	2026-08-15	Noah Brodie	York	instagram	Soy Candle Fig	Candles	2	16.80	3.50	32.06	card	delivered	t	t	5	SPRING15	\N
10499	2026-08-09	2026-08-10	2026-08-13	Freya Rahman	Bristol	website	Waffle Towel	Textiles	1	17.85	4.95	22.80	card	delivered	f	f	\N	\N	\N
10500	2026-08-11	2026-08-12	2026-08-17	Dylan Quigley	Cardiff	website	Dotted Notebook	Stationery	1	10.40	3.50	12.86	card	delivered	f	t	5	WELCOME10	Quick delivery and a handwritten note
10501	2026-08-14	2026-08-16	2026-08-18	Conor Quigley	Bath	website	Pour-over Dripper	Coffee	2	20.48	3.50	44.46	paypal	delivered	t	f	5	\N	\N
10502	2026-08-17	2026-08-19	2026-08-20	Freya Quigley	Leeds	website	Speckled Mug	Teaware	1	15.23	4.95	20.18	paypal	delivered	t	t	\N	\N	\N
10503	2026-08-18	2026-08-19	2026-08-22	Niamh Bailey	Bristol	etsy	Glass Tea Infuser	Teaware	2	12.50	3.50	28.50	card	delivered	f	f	5	\N	Beautiful colour, even nicer in person
10504	2026-08-19	\N	\N	Rhian Okafor	Brighton	website	Brass Pen	Stationery	1	33.60	3.50	37.10	card	cancelled	f	t	\N	\N	\N
10505	2026-08-23	2026-08-24	2026-08-27	Leo Sinclair	Cardiff	phone	Dotted Notebook	Stationery	1	10.40	4.95	15.35	paypal	delivered	f	f	\N	\N	\N
10506	2026-08-25	2026-08-27	2026-08-30	Harry Brodie	Cardiff	instagram	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	card	delivered	f	f	\N	\N	\N
10507	2026-08-25	2026-08-31	2026-09-01	Arjun Fenwick	Belfast	etsy	Dotted Notebook	Stationery	1	10.40	3.50	11.82	card	delivered	f	f	\N	FRIENDS20	\N
10508	2026-08-27	2026-08-27	2026-08-30	Arjun Fenwick	Belfast	website	House Blend Beans 1kg	Coffee	1	22.05	4.95	24.80	paypal	delivered	f	f	5	WELCOME10	\N
10509	2026-08-31	\N	\N	Priya Walsh	Sheffield	instagram	Hanging Planter	Plants	1	25.73	4.95	30.68	bank transfer	cancelled	f	f	\N	\N	\N
10510	2026-08-31	2026-09-04	2026-09-05	Niamh Walsh	Glasgow	website	House Blend Beans 1kg	Coffee	1	22.05	4.95	27.00	card	delivered	f	t	\N	\N	\N
10511	2026-09-01	2026-09-07	2026-09-10	Dylan Doyle	Norwich	etsy	Recycled Gift Wrap	Stationery	1	5.78	3.50	9.28	paypal	delivered	f	f	5	\N	Quick delivery and a handwritten note
10512	2026-09-01	2026-09-01	2026-09-02	George Hartley	York	website	Soy Candle Cedar	Candles	2	16.80	3.50	37.10	klarna	delivered	f	t	\N	\N	\N
10513	2026-09-01	2026-09-03	2026-09-05	Edith Walsh	Leeds	etsy	Dotted Notebook	Stationery	1	10.40	3.50	13.90	paypal	delivered	f	t	5	\N	Lovely, arrived well wrapped
10514	2026-09-02	2026-09-04	2026-09-06	Rhian Doyle	Norwich	phone	Hanging Planter	Plants	1	25.73	3.50	29.23	bank transfer	delivered	f	f	\N	\N	\N
10515	2026-09-02	2026-09-04	2026-09-07	Elsie Doyle	York	website	Hanging Planter	Plants	2	25.73	0.00	51.46	card	delivered	f	f	4	FREESHIP	\N
10516	2026-09-03	2026-09-05	2026-09-07	Hannah Lloyd	Sheffield	website	Waffle Towel	Textiles	1	17.85	3.50	21.35	paypal	delivered	f	f	5	\N	\N
10517	2026-09-05	2026-09-07	2026-09-09	Callum Sinclair	Leeds	website	Soy Candle Cedar	Candles	1	16.80	4.95	20.07	paypal	delivered	f	f	5	WELCOME10	\N
10518	2026-09-05	\N	\N	Freya Kaur	Glasgow	website	Waffle Towel	Textiles	4	17.85	0.00	71.40	bank transfer	cancelled	f	f	\N	\N	\N
10519	2026-09-06	2026-09-07	2026-09-11	Leo Walsh	Leeds	website	Soy Candle Cedar	Candles	3	16.80	0.00	50.40	card	returned	f	t	3	\N	Okay, colour differs from the photo
10520	2026-09-06	2026-09-06	2026-09-11	Marcus Quigley	York	phone	Hand Grinder	Coffee	1	56.70	0.00	51.03	card	returned	f	f	\N	WELCOME10	\N
10521	2026-09-06	2026-09-09	2026-09-12	Leo Fenwick	Sheffield	website	Soy Candle Fig	Candles	1	16.80	4.95	21.75	paypal	delivered	f	t	\N	\N	\N
10522	2026-09-07	\N	\N	Yusuf Quigley	Leeds	website	Hanging Planter	Plants	1	25.73	4.95	30.68	paypal	cancelled	f	f	\N	\N	\N
10523	2026-09-08	2026-09-10	2026-09-14	Zofia Bailey	Glasgow	etsy	Hanging Planter	Plants	1	25.73	3.50	29.23	card	delivered	f	t	\N	\N	\N
10524	2026-09-09	2026-09-10	2026-09-12	Hannah Quigley	Leeds	website	Glass Tea Infuser	Teaware	1	12.50	4.95	15.57	card	delivered	f	f	5	SPRING15	Lovely, arrived well wrapped
10525	2026-09-09	2026-09-11	2026-09-13	Isla Doyle	Glasgow	phone	Recycled Gift Wrap	Stationery	3	5.78	3.50	20.84	card	delivered	f	f	\N	\N	\N
10526	2026-09-11	2026-09-11	2026-09-14	Amelia Lloyd	York	etsy	Glass Tea Infuser	Teaware	2	12.50	3.50	28.50	card	delivered	f	t	5	\N	Bought as a gift, she loved it
10527	2026-09-11	2026-09-13	2026-09-15	Rory Quigley	Belfast	instagram	Linen Tablecloth	Textiles	1	48.30	0.00	48.30	card	delivered	f	t	3	FREESHIP	\N
10528	2026-09-12	2026-09-14	2026-09-16	Hannah Novak	Belfast	website	Monstera Cutting	Plants	3	13.65	3.50	38.31	paypal	delivered	f	f	\N	SPRING15	\N
10529	2026-09-12	2026-09-14	2026-09-16	Harry Thornton	Bristol	instagram	Dotted Notebook	Stationery	1	10.40	4.95	13.79	card	delivered	f	t	\N	SPRING15	\N
10530	2026-09-12	2026-09-13	2026-09-15	Jakub Yates	Sheffield	instagram	Stoneware Teapot	Teaware	1	39.90	3.50	43.40	card	delivered	f	f	5	\N	Great quality for the price
10531	2026-09-14	2026-09-18	2026-09-22	Harry Rahman	Glasgow	website	Beeswax Tapers	Candles	1	13.12	4.95	16.76	paypal	delivered	f	f	5	WELCOME10	Second time I order this, never disappoints
10532	2026-09-14	2026-09-16	2026-09-18	Ivy Walsh	Glasgow	website	Stoneware Teapot	Teaware	1	39.90	3.50	39.41	card	delivered	f	f	5	WELCOME10	\N
10533	2026-09-15	2026-09-19	2026-09-21	Isla Thornton	Leeds	instagram	Dotted Notebook	Stationery	1	10.40	3.50	13.90	card	delivered	f	f	5	\N	\N
10534	2026-09-17	2026-09-20	2026-09-22	Isla Quigley	Glasgow	website	Beeswax Tapers	Candles	1	13.12	4.95	18.07	card	delivered	f	f	\N	\N	\N
10535	2026-09-17	2026-09-20	2026-09-22	Harry Fenwick	Glasgow	website	House Blend Beans 1kg	Coffee	2	22.05	3.50	47.60	card	delivered	f	f	\N	\N	\N
10536	2026-09-20	2026-09-22	2026-09-24	Jakub Yates	Sheffield	instagram	Soy Candle Fig	Candles	1	16.80	4.95	21.75	klarna	delivered	f	f	3	\N	\N
10537	2026-09-21	\N	\N	Zofia Kaur	Sheffield	website	Recycled Gift Wrap	Stationery	3	5.78	0.00	17.34	card	cancelled	f	f	\N	FREESHIP	\N
10538	2026-09-21	2026-09-21	2026-09-24	George Yates	Sheffield	instagram	Hand Grinder	Coffee	2	56.70	0.00	113.40	paypal	delivered	f	t	4	\N	\N
10539	2026-09-22	2026-09-23	2026-09-26	Zofia Kaur	Sheffield	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	f	5	\N	Great quality for the price
10540	2026-09-22	\N	\N	Niamh Walsh	Glasgow	website	Dotted Notebook	Stationery	2	10.40	3.50	24.30	card	cancelled	f	t	\N	\N	\N
10541	2026-09-24	2026-09-24	2026-09-27	Hannah Hartley	York	etsy	Soy Candle Cedar	Candles	1	16.80	3.50	20.30	paypal	delivered	f	t	5	\N	\N
10542	2026-09-24	\N	\N	Arjun Walsh	Brighton	instagram	Dotted Notebook	Stationery	1	10.40	4.95	15.35	paypal	cancelled	f	t	\N	\N	\N
10543	2026-09-24	2026-09-26	2026-09-29	Dylan Doyle	Norwich	etsy	Speckled Mug	Teaware	4	15.23	0.00	60.92	card	delivered	f	f	5	\N	\N
10544	2026-09-26	\N	\N	Harry Vickers	Bath	website	Stoneware Teapot	Teaware	1	39.90	3.50	43.40	card	cancelled	f	f	\N	\N	\N
10545	2026-09-26	\N	\N	Isla Hartley	Sheffield	instagram	Dotted Notebook	Stationery	2	10.40	3.50	24.30	paypal	cancelled	f	t	\N	\N	\N
10546	2026-09-27	2026-10-01	2026-10-04	Theo Novak	Glasgow	instagram	Speckled Mug	Teaware	1	15.23	4.95	20.18	paypal	delivered	f	t	5	\N	Second time I order this, never disappoints
10547	2026-09-28	2026-09-28	2026-09-30	Zofia Yates	Bristol	etsy	House Blend Beans 1kg	Coffee	1	22.05	0.00	22.05	paypal	delivered	f	t	5	FREESHIP	\N
10548	2026-09-28	2026-09-29	2026-09-30	Isla Doyle	Glasgow	website	Stoneware Teapot	Teaware	1	39.90	3.50	35.42	card	delivered	f	f	5	FRIENDS20	Beautiful colour, even nicer in person
10549	2026-09-28	2026-10-01	2026-10-04	Fatima Yates	York	instagram	Matcha Whisk Set	Teaware	1	23.10	3.50	26.60	paypal	delivered	f	t	\N	\N	\N
10550	2026-09-28	2026-09-29	2026-10-02	Hannah Thornton	Norwich	website	Soy Candle Cedar	Candles	1	16.80	4.95	20.07	card	delivered	f	f	\N	WELCOME10	\N
10551	2026-09-30	2026-10-04	2026-10-06	Isla Doyle	Glasgow	website	Soy Candle Cedar	Candles	2	16.80	4.95	38.55	card	delivered	t	f	3	\N	Fine, packaging a bit excessive
10552	2026-10-02	2026-10-05	2026-10-07	Dylan Vickers	Brighton	website	Soy Candle Fig	Candles	3	16.80	0.00	50.40	card	delivered	f	f	\N	\N	\N
10553	2026-10-02	2026-10-03	2026-10-05	Isla Rahman	Glasgow	instagram	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	f	\N	\N	\N
10554	2026-10-03	2026-10-06	2026-10-08	Dylan Vickers	Brighton	website	Glass Tea Infuser	Teaware	2	12.50	4.95	29.95	card	delivered	f	f	\N	\N	\N
10555	2026-10-04	2026-10-05	2026-10-07	Marcus Underhill	Glasgow	website	Monstera Cutting	Plants	2	13.65	3.50	30.80	paypal	delivered	f	f	\N	\N	\N
10556	2026-10-04	2026-10-06	2026-10-08	Maeve Pritchard	Brighton	phone	Speckled Mug	Teaware	1	15.23	3.50	18.73	paypal	delivered	f	f	\N	\N	\N
10557	2026-10-05	2026-10-11	2026-10-13	Dylan Marsden	Leeds	instagram	Soy Candle Fig	Candles	4	16.80	0.00	67.20	paypal	delivered	f	f	\N	\N	\N
10558	2026-10-05	\N	\N	Poppy Novak	Leeds	etsy	Stoneware Teapot	Teaware	3	39.90	0.00	119.70	klarna	cancelled	f	f	\N	\N	\N
10559	2026-10-06	2026-10-06	2026-10-08	Dylan Fenwick	Brighton	website	Soy Candle Fig	Candles	1	16.80	4.95	21.75	paypal	delivered	t	f	5	\N	Second time I order this, never disappoints
10560	2026-10-06	2026-10-07	2026-10-09	Jakub Sinclair	Leeds	website	House Blend Beans 1kg	Coffee	1	22.05	3.50	25.55	card	delivered	f	t	\N	\N	\N
10561	2026-10-07	2026-10-07	2026-10-10	Maeve Hartley	Leeds	instagram	House Blend Beans 1kg	Coffee	1	22.05	3.50	25.55	card	delivered	f	f	\N	\N	\N
10562	2026-10-07	2026-10-16	2026-10-19	Dylan Novak	Cardiff	etsy	Dotted Notebook	Stationery	3	10.40	4.95	36.15	card	delivered	f	f	3	\N	\N
10563	2026-10-09	2026-10-11	2026-10-14	Elsie Novak	Glasgow	website	Hand Grinder	Coffee	1	56.70	0.00	56.70	card	delivered	f	f	4	\N	Lovely, arrived well wrapped
10564	2026-10-09	\N	\N	Harry Marsden	Brighton	phone	Soy Candle Cedar	Candles	4	16.80	0.00	67.20	paypal	cancelled	f	t	\N	\N	\N
10565	2026-10-10	2026-10-14	2026-10-21	Grace Rahman	Sheffield	website	Recycled Gift Wrap	Stationery	3	5.78	4.95	22.29	bank transfer	delivered	f	t	\N	\N	\N
10566	2026-10-12	2026-10-13	2026-10-15	Freya Marsden	Cardiff	instagram	Brass Pen	Stationery	1	33.60	4.95	38.55	card	delivered	f	f	1	\N	Smells of nothing at all
10567	2026-10-14	2026-10-15	2026-10-17	Oliver Hartley	York	instagram	Beeswax Tapers	Candles	1	13.12	0.00	13.12	card	delivered	f	t	3	FREESHIP	\N
10568	2026-10-15	2026-10-19	2026-10-21	Freya Yates	York	website	Recycled Gift Wrap	Stationery	2	5.78	4.95	16.51	card	delivered	f	t	5	\N	Lovely, arrived well wrapped
10569	2026-10-15	2026-10-16	2026-10-18	Yusuf Quigley	Leeds	etsy	Soy Candle Cedar	Candles	1	16.80	4.95	21.75	card	returned	f	f	\N	\N	\N
10570	2026-10-17	2026-10-18	2026-10-21	Edith Yates	Brighton	etsy	Monstera Cutting	Plants	1	13.65	3.50	17.15	paypal	delivered	f	t	\N	\N	\N
10571	2026-10-18	2026-10-19	2026-10-21	Samuel Bailey	Bristol	instagram	Pour-over Dripper	Coffee	1	20.48	3.50	23.98	paypal	delivered	t	t	\N	\N	\N
10572	2026-10-20	2026-10-22	2026-10-27	Fatima Rahman	Bristol	website	Brass Pen	Stationery	1	33.60	0.00	33.60	card	delivered	f	f	5	FREESHIP	\N
10573	2026-10-20	2026-10-21	2026-10-22	Yusuf Sinclair	Cardiff	website	Matcha Whisk Set	Teaware	4	23.10	0.00	92.40	paypal	delivered	f	f	5	\N	\N
10574	2026-10-21	2026-10-21	2026-10-25	Noah Brodie	York	website	Hanging Planter	Plants	1	25.73	4.95	28.11	bank transfer	returned	f	t	\N	WELCOME10	\N
10575	2026-10-23	2026-10-23	2026-10-25	Theo Doyle	Norwich	website	Speckled Mug	Teaware	1	15.23	3.50	18.73	card	delivered	f	t	4	\N	Beautiful colour, even nicer in person
10576	2026-10-25	2026-10-26	2026-10-28	Callum Underhill	York	website	Pour-over Dripper	Coffee	2	20.48	3.50	44.46	card	delivered	f	f	\N	\N	\N
10577	2026-10-26	2026-10-28	2026-10-30	Maeve Hartley	Leeds	website	Hanging Planter	Plants	1	25.73	3.50	29.23	klarna	delivered	f	f	5	\N	Second time I order this, never disappoints
10578	2026-10-26	2026-10-27	2026-10-29	Fatima Yates	York	website	Soy Candle Fig	Candles	1	16.80	3.50	20.30	card	delivered	f	t	\N	\N	\N
10579	2026-10-27	2026-10-30	2026-11-04	Dylan Vickers	Brighton	website	Speckled Mug	Teaware	1	15.23	3.50	17.21	card	delivered	f	f	4	WELCOME10	\N
10580	2026-10-27	2026-10-27	2026-10-28	Elsie Thornton	Bristol	website	Stoneware Teapot	Teaware	1	39.90	3.50	43.40	card	delivered	t	t	5	\N	Great quality for the price
10581	2026-10-28	2026-10-29	2026-10-31	Marcus Ashworth	Glasgow	website	Beeswax Tapers	Candles	1	13.12	3.50	15.31	bank transfer	returned	f	t	\N	WELCOME10	\N
10582	2026-10-29	2026-10-31	2026-11-02	Dylan Doyle	Norwich	website	Waffle Towel	Textiles	2	17.85	3.50	35.63	paypal	delivered	f	f	4	WELCOME10	\N
10583	2026-10-29	2026-10-31	2026-11-02	Priya Yates	Bristol	website	Hanging Planter	Plants	1	25.73	3.50	29.23	card	delivered	f	t	\N	\N	\N
10584	2026-10-31	2026-11-01	2026-11-08	Dylan Doyle	Norwich	etsy	Speckled Mug	Teaware	2	15.23	3.50	33.96	bank transfer	delivered	f	f	\N	\N	\N
10585	2026-10-31	2026-10-31	\N	Grace Thornton	Leeds	phone	Beeswax Tapers	Candles	1	13.12	3.50	16.62	card	lost	f	f	\N	\N	\N
10586	2026-11-01	2026-11-02	2026-11-05	Dylan Quigley	Cardiff	website	Speckled Mug	Teaware	4	15.23	0.00	54.83	paypal	delivered	t	t	5	WELCOME10	Great quality for the price
10587	2026-11-01	2026-11-01	2026-11-08	Jakub Yates	Sheffield	instagram	Waffle Towel	Textiles	1	17.85	4.95	21.02	card	delivered	f	f	5	WELCOME10	\N
10588	2026-11-03	2026-11-06	2026-11-08	Theo Novak	Glasgow	website	Glass Tea Infuser	Teaware	3	12.50	3.50	41.00	card	delivered	t	t	5	\N	\N
10589	2026-11-03	2026-11-03	2026-11-10	Harry Underhill	Norwich	website	Soy Candle Cedar	Candles	2	16.80	4.95	38.55	card	delivered	t	t	\N	\N	\N
10590	2026-11-03	2026-11-06	2026-11-11	Amelia Rahman	Bristol	website	Brass Pen	Stationery	3	33.60	0.00	100.80	card	delivered	t	f	5	\N	\N
10591	2026-11-03	2026-11-06	\N	Yusuf Vickers	Norwich	etsy	Hanging Planter	Plants	2	25.73	0.00	51.46	card	lost	t	f	\N	\N	\N
10592	2026-11-04	2026-11-13	2026-11-16	Dylan Underhill	Norwich	website	Speckled Mug	Teaware	1	15.23	4.95	20.18	card	delivered	f	f	\N	\N	\N
10593	2026-11-04	2026-11-04	2026-11-06	Arjun Kaur	York	phone	Linen Tablecloth	Textiles	1	48.30	4.95	53.25	card	delivered	f	t	\N	\N	\N
10594	2026-11-05	\N	\N	Yusuf Underhill	Sheffield	website	Hand Grinder	Coffee	1	56.70	0.00	56.70	card	cancelled	f	t	\N	\N	\N
10595	2026-11-05	2026-11-07	2026-11-12	Arjun Fenwick	Belfast	website	Dotted Notebook	Stationery	4	10.40	4.95	38.23	card	delivered	f	f	\N	FRIENDS20	\N
10596	2026-11-05	2026-11-06	2026-11-10	Harry Thornton	Bristol	instagram	Dotted Notebook	Stationery	2	10.40	3.50	24.30	card	delivered	t	t	3	\N	\N
10597	2026-11-05	2026-11-06	2026-11-11	Jakub Quigley	Glasgow	website	House Blend Beans 1kg	Coffee	1	22.05	0.00	22.05	card	delivered	f	t	\N	FREESHIP	\N
10598	2026-11-06	2026-11-06	2026-11-10	Fatima Yates	York	website	Soy Candle Fig	Candles	6	16.80	0.00	100.80	card	delivered	f	t	\N	\N	\N
10599	2026-11-07	2026-11-08	2026-11-12	Maeve Hartley	Leeds	website	Speckled Mug	Teaware	2	15.23	3.50	33.96	card	returned	f	f	\N	\N	\N
10600	2026-11-08	2026-11-09	2026-11-12	Yusuf Underhill	Sheffield	instagram	Glass Tea Infuser	Teaware	1	12.50	3.50	14.75	paypal	delivered	f	t	5	WELCOME10	Lovely, arrived well wrapped
10601	2026-11-09	2026-11-11	2026-11-14	Rory Brodie	Sheffield	website	Soy Candle Fig	Candles	1	16.80	3.50	20.30	klarna	delivered	f	f	4	\N	\N
10602	2026-11-09	2026-11-10	2026-11-14	Callum Underhill	York	website	Monstera Cutting	Plants	1	13.65	3.50	17.15	klarna	delivered	f	f	4	\N	Bought as a gift, she loved it
10603	2026-11-09	2026-11-12	2026-11-15	Jakub Walsh	Belfast	website	Pour-over Dripper	Coffee	1	20.48	4.95	25.43	card	delivered	f	f	5	\N	\N
10604	2026-11-10	2026-11-13	\N	Dylan Marsden	Leeds	instagram	Soy Candle Cedar	Candles	2	16.80	4.95	38.55	bank transfer	lost	f	f	\N	\N	\N
10605	2026-11-10	2026-11-14	\N	Marcus Marsden	Sheffield	website	Speckled Mug	Teaware	10	15.23	0.00	152.30	card	shipped	f	f	\N	\N	\N
10606	2026-11-11	2026-11-13	\N	Callum Doyle	Norwich	website	Glass Tea Infuser	Teaware	1	12.50	3.50	16.00	klarna	shipped	f	t	\N	\N	\N
10607	2026-11-11	2026-11-12	\N	Marcus Underhill	Glasgow	website	Soy Candle Fig	Candles	3	16.80	0.00	50.40	bank transfer	shipped	f	f	\N	\N	\N
10608	2026-11-11	2026-11-14	2026-11-15	Elsie Hartley	York	instagram	Speckled Mug	Teaware	1	15.23	3.50	17.21	card	delivered	f	f	\N	WELCOME10	\N
10609	2026-11-12	2026-11-13	2026-11-15	Ivy Pritchard	Glasgow	website	Waffle Towel	Textiles	3	17.85	0.00	53.55	klarna	delivered	f	f	5	\N	\N
10610	2026-11-12	2026-11-15	\N	Harry Quigley	Brighton	etsy	Stoneware Teapot	Teaware	1	39.90	3.50	43.40	paypal	shipped	f	t	\N	\N	\N
10611	2026-11-12	2026-11-15	\N	Dylan Quigley	Cardiff	instagram	Waffle Towel	Textiles	3	17.85	3.50	49.02	paypal	shipped	f	t	\N	SPRING15	\N
10612	2026-11-13	2026-11-16	\N	Callum Sinclair	Leeds	instagram	Dotted Notebook	Stationery	2	10.40	3.50	24.30	card	shipped	f	f	\N	\N	\N
10613	2026-11-14	\N	\N	Niamh Thornton	Glasgow	website	Hanging Planter	Plants	2	25.73	0.00	51.46	card	pending	f	f	\N	\N	\N
10614	2026-11-14	\N	\N	Rhian Kaur	York	website	Waffle Towel	Textiles	1	17.85	4.95	22.80	card	pending	t	f	\N	\N	\N
10615	2026-11-14	\N	\N	Conor Quigley	Bath	website	Dotted Notebook	Stationery	1	10.40	3.50	13.90	card	pending	f	f	\N	\N	\N
10616	2026-11-14	\N	\N	Conor Quigley	Bath	website	Glass Tea Infuser	Teaware	2	12.50	3.50	26.00	paypal	pending	f	f	\N	WELCOME10	\N
10617	2026-11-15	\N	\N	Fatima Yates	York	website	Monstera Cutting	Plants	1	13.65	3.50	17.15	klarna	pending	f	t	\N	\N	\N
10618	2026-11-16	\N	\N	Samuel Walsh	Cardiff	website	Recycled Gift Wrap	Stationery	1	5.78	4.95	10.73	card	pending	f	t	\N	\N	\N
10619	2026-11-16	\N	\N	Yusuf Ashworth	Glasgow	instagram	Brass Pen	Stationery	4	33.60	0.00	134.40	card	pending	f	f	\N	\N	\N
10620	2026-11-16	\N	\N	Samuel Rahman	Glasgow	website	Soy Candle Cedar	Candles	2	16.80	4.95	38.55	card	pending	f	t	\N	\N	\N
\.


--
-- Name: orders orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (order_no);


--
-- PostgreSQL database dump complete
--

\unrestrict 1CDRPhc0qdAPFHVd68iH3djJek8aIp9NDyBUq7M1BBmjcYUA3a2mCKjwmmSLLVK

